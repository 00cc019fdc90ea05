import { checkModel, type ModelCheck } from "../../../models/local/check.ts";
import { columns, count, duration } from "../../print/layout.ts";
import { EXIT, printJson, type Session } from "../../session.ts";

export async function run(session: Session, [name = ""]: readonly string[]): Promise<number> {
  const check = await checkModel(name, { env: session.env });
  if (session.json) printJson(session, check);
  else session.io.print(render(check));
  return EXIT.done;
}

function render(check: ModelCheck): string {
  const [, , , runtime] = check.id.split(":");
  const files =
    check.filesChecked === 0
      ? "not checked: konteks did not write this folder"
      : `${count(check.filesChecked, "file")}, as pulled`;
  const reranks = check.task === "rerank";
  return columns([
    [reranks ? "reranker" : "embedding", check.id],
    ["files", files],
    ["runtime", runtime === "node" ? "onnxruntime-node" : "@konteks/local (WebAssembly)"],
    ["loading", duration(check.loadMs)],
    [reranks ? "a passage" : "a query", `${check.queryMs.toFixed(0)} ms`],
    [
      reranks ? "reranking" : "indexing",
      `${check.textsPerSecond.toFixed(1)} texts of about 100 words a second`,
    ],
    [
      reranks ? "score" : "likeness",
      `question and answer ${check.relevant.toFixed(2)}, question and something else ${check.irrelevant.toFixed(2)}`,
    ],
  ]).join("\n");
}
