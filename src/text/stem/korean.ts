/** Particles and forms of the copula, longest first. */
const PARTICLES =
  "으로부터 에서부터 이었습니다 인가요 입니까 입니다 이었다 에게서 에서는 에서도 에서의 으로는 으로도 으로서 으로써 이라는 이라고 까지는 부터는 였다 이다 라는 라고 까지 부터 에서 에게 한테 으로 로서 로써 처럼 보다 마다 조차 밖에 이나 이란 에는 에도 에의 과의 와의 은 는 이 가 을 를 의 에 로 와 과 도 만 께";
const ENDING = new RegExp(`(?<=\\p{Script=Hangul}{2})(?:${PARTICLES.split(" ").join("|")})$`, "u");

/**
 * Takes off what Korean writes onto the end of a noun, while two syllables stay and until nothing is left to take off, so
 * that a noun which ends like a particle keeps the same rest in every form. No dictionary, and no forms of verbs.
 */
export function stemKorean(word: string): string {
  const bare = word.replace(ENDING, "");
  return bare === word ? word : stemKorean(bare);
}
