import { type Command, EMBEDDING, INDEXING } from "../command.ts";
import { CONTEXT_FLAGS, CONTEXT_SETTINGS } from "../context-flags.ts";

/** Commands about what a model writes for chunks. */
export const CONTEXT_COMMANDS: readonly Command[] = [
  {
    name: "estimate",
    args: "<path...>",
    about: "say what a model's contexts would cost, before any call",
    more: `Reads and cuts the documents as \`konteks ingest\` would, and sends nothing. Contexts that are there already cost
nothing. Each way of asking is priced side by side: one call a chunk, several chunks in a call, and both as batches.`,
    settings: ["index", ...INDEXING, "ingest."],
    flags: [
      ["--batch", "price the run as a batch"],
      ["--explain", "say for each document which way was chosen, and why"],
      ["--force", "price unchanged documents as well"],
      ["--rebuild", "price an index made anew with these settings"],
    ],
    examples: [
      "konteks estimate ./docs --context-model anthropic:claude-haiku-4-5",
      "konteks estimate ./docs --context-model openai:gpt-4o-mini --plan grouped --explain",
    ],
    load: () => import("./contexts/estimate.ts"),
  },
  {
    name: "repair",
    args: "",
    about: "finish contexts and vectors that are missing, from what is in the index",
    more: "The sources are not read again. With --stale, contexts that were made from an older state of their document are asked for anew.",
    settings: ["index", "contextConcurrency", ...CONTEXT_SETTINGS],
    flags: [["--stale", "renew contexts made from an older state of their document"], ...CONTEXT_FLAGS],
    examples: ["konteks repair", "konteks repair --stale --max-cost 5"],
    load: () => import("./contexts/repair.ts"),
  },
  {
    name: "contexts export",
    args: "[file]",
    about: "write the index's paid contexts as JSON lines, to a file or to stdout",
    settings: ["index"],
    examples: [
      "konteks contexts export contexts.jsonl",
      "konteks contexts export | gzip > contexts.jsonl.gz",
    ],
    load: () => import("./contexts/export.ts"),
  },
  {
    name: "contexts import",
    args: "<file>",
    about: "take in contexts from JSON lines and put them into the index, without a call",
    more: `A line is a context as it was exported, or {"chunk_id", "context"} with the id of a chunk (\`report.md#3\`), or
{"documentId", "chunk", "context"} with the chunk's text. What is in the index already stays.`,
    settings: ["index", ...EMBEDDING],
    examples: [
      "konteks contexts import contexts.jsonl",
      "konteks contexts import contexts.jsonl --index ./docs/.konteks",
    ],
    load: () => import("./contexts/import.ts"),
  },
];
