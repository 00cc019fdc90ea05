import { rename, writeFile } from "node:fs/promises";
import { questionLine } from "../../../eval/dataset/jsonl.ts";
import type { Question } from "../../../eval/types.ts";
import { writing } from "../../../eval/writing.ts";

/** Tag of a generated question that nobody has looked at. */
export const UNREVIEWED = "unreviewed";

/** Puts the questions in the place of the file's; it is complete or as it was. */
export async function writeQuestions(path: string, questions: readonly Question[]): Promise<void> {
  await writing(path, async () => {
    await writeFile(`${path}.part`, questions.map((question) => `${questionLine(question)}\n`).join(""));
    await rename(`${path}.part`, path);
  });
}

export function isUnreviewed({ tags }: Pick<Question, "tags">): boolean {
  return tags.includes(UNREVIEWED);
}

export function reviewed(question: Question): Question {
  return { ...question, tags: question.tags.filter((tag) => tag !== UNREVIEWED) };
}
