import { documentsOf } from "../../../eval/build.ts";
import { readQuestionLines } from "../../../eval/dataset/jsonl.ts";
import { locateGold } from "../../../eval/dataset/locate.ts";
import type { Question } from "../../../eval/types.ts";
import { type DocumentInput, KonteksError } from "../../../spec/index.ts";
import { existingIndex, existingPath } from "../../paths.ts";
import { configOf, EXIT, indexPath, note, printJson, type Session, withIndex } from "../../session.ts";
import { type Asking, startAsking } from "./ask-user.ts";
import { questionsPath } from "./questions.ts";
import { isUnreviewed, reviewed, writeQuestions } from "./review-file.ts";

export async function run(session: Session, [folder]: readonly string[]): Promise<number> {
  if (session.input.isTTY !== true) {
    throw new KonteksError("wrong-option", "A review needs a terminal to ask on. Run it in one.");
  }
  const config = await configOf(session);
  const where = folder === undefined ? session.cwd : existingPath(folder, session.cwd);
  const path = existingIndex(indexPath(config, where), session.cwd, "eval review");
  return withIndex(session, { path, mustExist: true, readOnly: true }, async (konteks) => {
    const texts = new Map(
      (await documentsOf(konteks, "the index")).map((document) => [document.id, document]),
    );
    const file = questionsPath(session);
    const documents = [...texts.values()].map(({ id = "", text }) => ({ id, text }));
    const questions = locateGold(await readQuestionLines(file), documents);
    const counts = await reviewAll(session, file, questions, texts);
    if (session.json) printJson(session, { file, ...counts });
    else
      note(
        session,
        `${counts.kept} kept, ${counts.edited} edited, ${counts.dropped} dropped, ${counts.left} left.`,
      );
    return EXIT.done;
  });
}

type Texts = ReadonlyMap<string | undefined, DocumentInput>;
type Decision =
  | { readonly kind: "kept" | "edited"; readonly question: Question }
  | { readonly kind: "dropped" };

async function reviewAll(session: Session, file: string, questions: readonly Question[], texts: Texts) {
  const due = questions.filter((question) => session.flags.all === true || isUnreviewed(question));
  const counts = { kept: 0, edited: 0, dropped: 0, left: due.length };
  let now = questions;
  const asking = startAsking(session);
  try {
    for (const [index, question] of due.entries()) {
      session.io.note(shown(question, texts, `${index + 1} of ${due.length}`));
      const decision = await decide(asking, question);
      if (decision === undefined) break;
      counts[decision.kind]++;
      counts.left--;
      now = now.flatMap((each) => (each.id !== question.id ? [each] : replacement(decision)));
      await writeQuestions(file, now);
    }
    return counts;
  } finally {
    asking.close();
  }
}

function replacement(decision: Decision): readonly Question[] {
  return decision.kind === "dropped" ? [] : [reviewed(decision.question)];
}

/** Undefined: stop here. */
async function decide(asking: Asking, question: Question): Promise<Decision | undefined> {
  for (;;) {
    const typed = (await asking.ask("[k]eep, [e]dit, [d]rop, [q]uit?"))?.trim().toLowerCase();
    if (typed === undefined || typed === "q") return undefined;
    if (typed === "k" || typed === "") return { kind: "kept", question };
    if (typed === "d") return { kind: "dropped" };
    if (typed === "e") {
      const text = (await asking.ask("New wording (empty: as it is):"))?.trim() ?? "";
      return text === "" ? { kind: "kept", question } : { kind: "edited", question: { ...question, text } };
    }
  }
}

/** The question with the passages that answer it, each with a few words around it. */
function shown({ text, gold, answers, tags }: Question, texts: Texts, place: string): string {
  const passages = gold.map(({ documentId, start, end }) => {
    const body = texts.get(documentId)?.text ?? "";
    const around = 80;
    const before = body.slice(Math.max(0, start - around), start).replace(/\s+/g, " ");
    const after = body.slice(end, end + around).replace(/\s+/g, " ");
    return `  ${documentId}: …${before}»${body.slice(start, end).replace(/\s+/g, " ")}«${after}…`;
  });
  const none = gold.length === 0 ? ["  (the documents hold no answer)"] : [];
  const answer = answers.length === 0 ? [] : [`  answer: ${answers.join(" / ")}`];
  return [`\n${place} (${tags.join(", ")})`, text, ...passages, ...none, ...answer].join("\n");
}
