/** Words that are written with a full stop and hardly ever end a sentence; English, Indonesian, Vietnamese, German, French. */
const ABBREVIATIONS =
  "mr mrs ms dr prof st sr jr vs etc inc ltd co corp llc plc no nos fig figs eq eqs sec secs art arts ch chap vol vols pp ed eds cf al approx dept est gen gov rep sen rev hon col lt sgt capt jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun " +
  "pt tbk cv ir drs dra hj hlm dsb dst dll dkk tgl jl kab kec ps ts tp gs th ths ks bs usd rp nr bzw usw ca evtl ggf inkl zzgl abs mme mlle";
const WORDS: ReadonlySet<string> = new Set(ABBREVIATIONS.split(" "));

const LAST_WORD = /(?:^|[\s(["'“‘/])([\p{L}\p{N}.]+)\.$/u;

/** Whether the full stop at the end of `text` belongs to an abbreviation ("e.g."), an initial ("J.") or a list number ("1."). */
export function endsInAbbreviation(text: string): boolean {
  const word = LAST_WORD.exec(text)?.[1];
  if (word === undefined) return false;
  if (WORDS.has(word.toLowerCase())) return true;
  if (/^(?:\p{L}\.)*\p{L}$/u.test(word)) return true;
  return /^\d{1,3}$/.test(word) && text.trimStart() === `${word}.`;
}
