import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { documentsOf } from "../../../eval/build.ts";
import { addQuestion, addQuestions } from "../../../eval/dataset/add.ts";
import { readQuestions } from "../../../eval/dataset/read.ts";
import { KonteksError } from "../../../spec/index.ts";
import { documentIdOf } from "../../document-id.ts";
import { existingIndex, existingPath } from "../../paths.ts";
import { count } from "../../print/layout.ts";
import { configOf, EXIT, indexPath, note, printJson, type Session, withIndex } from "../../session.ts";
import { listFlag, textFlag, wrongFlag } from "./flags.ts";
import { questionsPath } from "./questions.ts";

export async function run(session: Session, [text = ""]: readonly string[]): Promise<number> {
  const from = textFlag(session, "from");
  if (from !== undefined) return addFrom(session, existingPath(from, session.cwd), text);
  if (text.trim() === "")
    throw new KonteksError(
      "wrong-option",
      "The question is empty. Type it, or name a file of questions with --from.",
    );
  if (/\.(?:csv|jsonl?)$/i.test(text) && existsSync(resolve(session.cwd, text)))
    throw new KonteksError(
      "wrong-option",
      `"${text}" is a file. Add all of its questions with --from ${text}.`,
    );
  const config = await configOf(session);
  const gold = listFlag(session, "gold").map(splitGold);
  const answer = textFlag(session, "answer");
  const path = existingIndex(indexPath(config, session.cwd), session.cwd, "eval add");
  return withIndex(session, { path, mustExist: true, readOnly: true }, async (konteks) => {
    const documents = await documentsOf(konteks, "the index");
    const passages = gold.map(({ file, quote }) => ({
      documentId: documentIdOf(file, documents, session.cwd),
      quote,
    }));
    const tags = listFlag(session, "tag");
    const answers = answer === undefined ? [] : [answer];
    const question = await addQuestion(
      questionsPath(session),
      { text, gold: passages, tags, answers },
      documents.map(({ id = "", text: body }) => ({ id, text: body })),
    );
    if (session.json) printJson(session, question);
    else note(session, `Added ${question.id} to ${questionsPath(session)}.`);
    return EXIT.done;
  });
}

/** Every question of a file, with the passages that it quotes looked up in the index. */
async function addFrom(session: Session, file: string, text: string): Promise<number> {
  if (text !== "")
    throw new KonteksError("wrong-option", "Type a question, or name a file with --from; not both.");
  const { questions } = await readQuestions(file);
  const config = await configOf(session);
  const path = existingIndex(indexPath(config, session.cwd), session.cwd, "eval add");
  return withIndex(session, { path, mustExist: true, readOnly: true }, async (konteks) => {
    const documents = (await documentsOf(konteks, "the index")).map(({ id = "", text: body }) => ({
      id,
      text: body,
    }));
    const added = await addQuestions(questionsPath(session), questions, documents);
    const known = questions.length - added.length;
    if (session.json) printJson(session, { file: questionsPath(session), added, known });
    else
      note(
        session,
        `Added ${count(added.length, "question")} to ${questionsPath(session)}${known > 0 ? `; ${known} stood there already` : ""}.`,
      );
    return EXIT.done;
  });
}

function splitGold(typed: string): { file: string; quote: string } {
  const sign = typed.indexOf("#");
  if (sign > 0 && typed.slice(sign + 1).trim() !== "") {
    return { file: typed.slice(0, sign), quote: typed.slice(sign + 1) };
  }
  throw wrongFlag("gold", `must be file#quote, not '${typed}'`);
}
