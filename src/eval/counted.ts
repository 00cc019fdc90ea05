/** "1 question", "2 questions"; of "index" give "indexes". */
export function counted(n: number, word: string, several = `${word}s`): string {
  return `${n} ${n === 1 ? word : several}`;
}
