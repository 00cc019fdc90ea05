import { ASK_FLAGS } from "./ask-flags.ts";
import { type Command, EMBEDDING, INDEXING } from "./command.ts";
import { CONTEXT_COMMANDS } from "./commands/contexts.ts";
import { EVAL_COMMANDS } from "./commands/eval.ts";
import { MODELS_COMMANDS } from "./commands/models.ts";
import { CONTEXT_FLAGS } from "./context-flags.ts";
import { QUERY_FLAGS, SHOW_FLAGS } from "./search-flags.ts";

export type { Command } from "./command.ts";

const INGEST_FLAGS = [
  ["--force", "index unchanged documents as well"],
  ["--rebuild", "drop an index that was made with other settings and make a new one"],
  ...CONTEXT_FLAGS,
] as const;

const SERVE_FLAGS = [
  ["--host <address>", "address to listen on; any but this machine's own needs a token; default: 127.0.0.1"],
  ["--port <n>", "port to listen on, 0 for one that is free; default: 4280"],
  [
    "--token <token>",
    "what requests have to bring as a bearer token; better set KONTEKS_TOKEN: others see what was typed",
  ],
  [
    "--allow-origin <origin>",
    "let pages of this origin ask (https://example.org, * for any); may be repeated",
  ],
  ["--allow-host <name>", "another name that the server goes by, behind a proxy; may be repeated"],
  ["--read-only", "write nothing at all: no log of searches either"],
] as const;

/** Every command, in the order help lists them. */
export const COMMANDS: readonly Command[] = [
  {
    name: "ask",
    args: "[words...]",
    usage: "[options] [folder] <question...>",
    about: "answer a question from documents, with citations",
    more: `konteks ask <folder> <question> makes or refreshes the index in <folder>/.konteks, then answers from the folder; where
\`konteks ingest <folder>\` put its files into the index in ./.konteks, that one is used.
konteks ask <question> answers from the index in ./.konteks, else the only one near, or where --index says.
Ends with 0 when it answered or found nothing, also from documents that are not whole in the index; these are told.
Without --model the answer is made of extracts: sentences of the documents, word for word.`,
    settings: ["index", "queryLog", "model", ...INDEXING, "search.", "ingest."],
    flags: [...ASK_FLAGS, ...QUERY_FLAGS, ...INGEST_FLAGS],
    examples: [
      'konteks ask ./docs "How long is the notice period?"',
      'konteks ask "Who signed the contract?" --model anthropic:claude-haiku-4-5',
      'konteks ask --continue "And when?" --model anthropic:claude-haiku-4-5 --cost',
    ],
    load: () => import("./commands/ask.ts"),
  },
  {
    name: "ingest",
    args: "[path...]",
    about: "read files, folders, globs, web addresses or standard input (-) into the index",
    more: `The index is in ./.konteks, or where --index says. Unchanged documents are skipped, changed ones replaced,
and files that are gone from a folder leave the index. Stopped in the middle, the same command goes on.
Attachments of mails and the files in zip archives are documents of their own: mail.eml/report.pdf.`,
    settings: ["index", ...INDEXING, "ingest."],
    flags: [
      ...INGEST_FLAGS,
      ["--files-from <file>", "read the paths to ingest from a file, one a line; - for standard input"],
      ["--name <name>", "what standard input is called, with the ending of its format; default: stdin"],
    ],
    examples: [
      "konteks ingest ./docs",
      "konteks ingest ./contracts ./manual.pdf --meta team=legal --context-model anthropic:claude-haiku-4-5",
      'konteks ingest "notes/**/*.md" https://example.org/handbook',
      "pandoc notes.tex -t markdown | konteks ingest - --name notes.md",
    ],
    load: () => import("./commands/ingest.ts"),
  },
  {
    name: "watch",
    args: "[path]",
    about: "ingest a folder or file, and again whenever it changes, until Ctrl-C",
    more: "Changes that come together are read together. The default is the current folder.",
    settings: ["index", ...INDEXING, "ingest."],
    flags: INGEST_FLAGS,
    examples: ["konteks watch ./docs", "konteks watch ./notes --json"],
    load: () => import("./commands/watch.ts"),
  },
  {
    name: "search",
    args: "<query...>",
    about: "find the chunks that fit a query, best first",
    settings: ["index", "queryLog", ...EMBEDDING, "search."],
    flags: [...QUERY_FLAGS, ...SHOW_FLAGS],
    examples: [
      'konteks search "notice period" -k 5',
      "konteks search SKU-4521 --mode text --json",
      `konteks search "notice period" --where 'year >= 2023' --rerank --explain`,
    ],
    load: () => import("./commands/search.ts"),
  },
  {
    name: "why",
    args: "<query...>",
    about: "tell where a passage that should have been found was lost",
    more: `--expect names the passage: file.md:12, a chunk id (file.md#3), a quote, or both (file.md#quote). Other settings are tried, and those that
would bring it in are listed.`,
    settings: ["index", ...EMBEDDING, "search."],
    flags: [["--expect <passage>", "what should have been found"], ...QUERY_FLAGS],
    examples: ['konteks why "How long is the notice period?" --expect contract.md:12'],
    load: () => import("./commands/why.ts"),
  },
  {
    name: "serve",
    args: "",
    about: "answer searches and questions over HTTP, until Ctrl-C",
    more: `POST /search, POST /ask, GET /documents, GET /status, GET /health; see docs/server.md. Settings of searches and the model hold for every request that does not say otherwise. What other processes ingest meanwhile is found at once.`,
    settings: ["index", "queryLog", "model", ...EMBEDDING, "search."],
    flags: SERVE_FLAGS,
    examples: [
      "konteks serve",
      "konteks serve --index ./docs/.konteks --port 8080 --model anthropic:claude-haiku-4-5",
      "KONTEKS_TOKEN=… konteks serve --host 0.0.0.0 --allow-origin https://example.org",
    ],
    load: () => import("./commands/serve.ts"),
  },
  {
    name: "status",
    args: "",
    about: "show what is in the index, and which settings are in force and where they come from",
    settings: ["index", "queryLog", "model", ...INDEXING, "search.", "ingest."],
    examples: ["konteks status", "konteks status --index ./docs/.konteks --json"],
    load: () => import("./commands/status.ts"),
  },
  {
    name: "documents",
    args: "",
    about: "list the documents in the index",
    settings: ["index"],
    examples: ["konteks documents", "konteks documents --json"],
    load: () => import("./commands/documents.ts"),
  },
  {
    name: "show",
    args: "<id>",
    about: "show a document and its chunks with contexts, offsets and lines",
    more: "<id> is a document's id (see `konteks documents`), a chunk's (`report.md#3`), or a place as hits and citations show it (`docs/report.md:12`).",
    settings: ["index"],
    examples: ["konteks show reports/acme.md", "konteks show reports/acme.md#2 --json"],
    load: () => import("./commands/show.ts"),
  },
  {
    name: "delete",
    args: "<id...>",
    about: "remove documents with their chunks, vectors and contexts",
    more:
      "<id> is a document's id or the path of its file. All of them are removed, or none when one is not in the index (exit code 1). A file that is still in its folder comes back " +
      "with the next ingest or ask; `.konteksignore` keeps it out.",
    settings: ["index"],
    flags: [
      [
        "--keep-contexts",
        "keep the contexts that were paid for; the document takes them up when it comes back",
      ],
    ],
    examples: ["konteks delete reports/old.md", "konteks delete a.md b.md --json"],
    load: () => import("./commands/delete.ts"),
  },
  {
    name: "verify",
    args: "",
    about: "check the index: everything it derives against the documents it holds",
    more: "Ends with exit code 1 and names what differs; `konteks compact` makes lists anew.",
    settings: ["index"],
    examples: ["konteks verify", "konteks verify --index ./docs/.konteks --json"],
    load: () => import("./commands/verify.ts"),
  },
  {
    name: "compact",
    args: "",
    about: "make the word lists of the index anew, in one piece, and give unused space back",
    more: "Nothing is lost when it is stopped. What deleted documents left in the lists is gone afterwards.",
    settings: ["index"],
    examples: ["konteks compact", "konteks compact --index ./docs/.konteks"],
    load: () => import("./commands/compact.ts"),
  },
  {
    name: "init",
    args: "",
    about: "write a commented konteks.config.ts into the current folder",
    settings: [],
    flags: [
      ["--format <format>", "ts or json; default ts"],
      ["--force", "overwrite a configuration that is there"],
    ],
    examples: ["konteks init", "konteks init --format json"],
    load: () => import("./commands/init.ts"),
  },
  ...CONTEXT_COMMANDS,
  ...EVAL_COMMANDS,
  ...MODELS_COMMANDS,
];

/** What groups of commands are for, by name. */
export const GROUPS: Readonly<Record<string, string>> = {
  contexts: "move contexts that were paid for between indexes and machines",
  eval: "measure retrieval and answers on your own questions",
  models: "embedding models that run on this machine",
};

/** Flags of every command. */
export const COMMON_FLAGS: readonly (readonly [flag: string, about: string])[] = [
  ["--config <file>", "configuration file; default: the nearest konteks.config.* from here upward"],
  ["--json", "print one JSON value on stdout and nothing else; progress and errors as JSON lines on stderr"],
  ["--quiet", "no progress and no notes"],
  ["--debug", "show the stack of an error"],
];
