import {
  choice,
  jsonFile,
  type Parse,
  positiveNumber,
  recordFields,
  textOrFile,
  wholeNumber,
  words,
  yesOrNo,
} from "./values.ts";

/** One thing that can be set: by a flag, an environment variable, or a key of the configuration file. */
export interface Setting {
  /** Dotted path in the configuration file. */
  readonly key: string;
  /** As commander writes it: `-k, --k <n>`. */
  readonly flag: string;
  readonly variable?: string;
  readonly parse: Parse;
  /** Never shown, only that it is set. */
  readonly secret?: boolean;
  /** What holds when nobody sets it, in words. */
  readonly byDefault: string;
  /** A value for the example in the configuration file, as TypeScript. */
  readonly example: string;
  readonly about: string;
}

const UNITS = ["characters", "words", "tokens", "sentences", "paragraphs", "sections"];

/** Every setting, in the order in which help, `init` and `status` show them. */
export const SETTINGS: readonly Setting[] = [
  {
    key: "index",
    flag: "--index <folder>",
    variable: "KONTEKS_INDEX",
    parse: words,
    byDefault: ".konteks",
    example: '".konteks"',
    about: "folder of the index",
  },
  {
    key: "model",
    flag: "--model <provider:model>",
    variable: "KONTEKS_MODEL",
    parse: words,
    byDefault: "no model, answers are extracts",
    example: '"anthropic:claude-haiku-4-5"',
    about: "model that writes answers",
  },
  {
    key: "context",
    flag: "--context <kind>",
    variable: "KONTEKS_CONTEXT",
    parse: choice(["structural", "none", "llm"]),
    byDefault: "structural, or llm with a context model",
    example: '"structural"',
    about: "kind of context: structural (title, headings, …; no model), none, llm",
  },
  {
    key: "contextModel",
    flag: "--context-model <provider:model>",
    variable: "KONTEKS_CONTEXT_MODEL",
    parse: words,
    byDefault: "no model",
    example: '"anthropic:claude-haiku-4-5"',
    about: "model that writes a context for every chunk",
  },
  {
    key: "contextConcurrency",
    flag: "--context-concurrency <n>",
    variable: "KONTEKS_CONTEXT_CONCURRENCY",
    parse: wholeNumber(1),
    byDefault: "10",
    example: "10",
    about: "context calls in flight",
  },
  {
    key: "contextPlan",
    flag: "--plan <plan>",
    variable: "KONTEKS_CONTEXT_PLAN",
    parse: choice(["auto", "single", "grouped"]),
    byDefault: "auto",
    example: '"auto"',
    about:
      "one context call for each chunk (single), several chunks in a call (grouped), or by model and document (auto)",
  },
  {
    key: "contextGroupSize",
    flag: "--group-size <n>",
    variable: "KONTEKS_CONTEXT_GROUP_SIZE",
    parse: wholeNumber(1),
    byDefault: "12",
    example: "12",
    about: "most chunks in one context call of a grouped plan",
  },
  {
    key: "contextWindow",
    flag: "--context-window <tokens>",
    variable: "KONTEKS_CONTEXT_WINDOW",
    parse: wholeNumber(1_000),
    byDefault: "nine tenths of what the model reads",
    example: "100_000",
    about: "longest document that is sent whole, in tokens; longer ones are read in windows",
  },
  {
    key: "contextPrompt",
    flag: "--context-prompt <prompt>",
    variable: "KONTEKS_CONTEXT_PROMPT",
    parse: textOrFile,
    byDefault: "claude",
    example: '"claude"',
    about:
      "how contexts are asked for: claude, message, indonesian, or a file with {{document}} and {{chunk}}",
  },
  {
    key: "contextDomain",
    flag: "--context-domain <note>",
    variable: "KONTEKS_CONTEXT_DOMAIN",
    parse: textOrFile,
    byDefault: "nothing",
    example: '"Contracts of ACME, 2019 to 2024."',
    about: "what the documents are about, told to the context model",
  },
  {
    key: "contextGlossary",
    flag: "--glossary <file>",
    variable: "KONTEKS_GLOSSARY",
    parse: jsonFile,
    byDefault: "nothing",
    example: '{ NDA: "a promise of silence" }',
    about: "terms and their meanings, told to the context model; a file of JSON",
  },
  {
    key: "contextPrices",
    flag: "--prices <file>",
    variable: "KONTEKS_PRICES",
    parse: jsonFile,
    byDefault: "the table of konteks",
    example: '{ "openai:gpt-4o": { input: 2.5, output: 10 } }',
    about: "dollars for a million tokens by model, before the table's; a file of JSON",
  },
  {
    key: "embedding",
    flag: "--embedding-model <name>",
    variable: "KONTEKS_EMBEDDING_MODEL",
    parse: words,
    byDefault: "lexical",
    example: '"openai:text-embedding-3-small"',
    about: "vector side: lexical (no model), none, or provider:model",
  },
  {
    key: "chunk.unit",
    flag: "--chunk-unit <unit>",
    variable: "KONTEKS_CHUNK_UNIT",
    parse: choice(UNITS),
    byDefault: "tokens",
    example: '"tokens"',
    about: `what size and overlap count: ${UNITS.join(", ")}`,
  },
  {
    key: "chunk.size",
    flag: "--chunk-size <n>",
    variable: "KONTEKS_CHUNK_SIZE",
    parse: wholeNumber(1),
    byDefault: "800 tokens",
    example: "800",
    about: "largest chunk, in units",
  },
  {
    key: "chunk.overlap",
    flag: "--chunk-overlap <n>",
    variable: "KONTEKS_CHUNK_OVERLAP",
    parse: wholeNumber(0),
    byDefault: "150 tokens",
    example: "150",
    about: "units repeated at the start of the next chunk; smaller than the size",
  },
  {
    key: "chunk.structure",
    flag: "--no-structure",
    variable: "KONTEKS_CHUNK_STRUCTURE",
    parse: yesOrNo,
    byDefault: "true",
    example: "true",
    about: "cut at white space only, not at headings, paragraphs and sentences",
  },
  {
    key: "search.k",
    flag: "-k, --k <n>",
    variable: "KONTEKS_K",
    parse: wholeNumber(1),
    byDefault: "10",
    example: "10",
    about: "hits wanted",
  },
  {
    key: "search.mode",
    flag: "--mode <mode>",
    variable: "KONTEKS_MODE",
    parse: choice(["text", "vector", "hybrid"]),
    byDefault: "hybrid",
    example: '"hybrid"',
    about: "which lists are searched: text, vector, hybrid",
  },
  {
    key: "search.candidates",
    flag: "--candidates <n>",
    variable: "KONTEKS_CANDIDATES",
    parse: wholeNumber(1),
    byDefault: "150",
    example: "150",
    about: "depth of each list before fusion; at least k",
  },
  {
    key: "search.weights.text",
    flag: "--text-weight <x>",
    variable: "KONTEKS_TEXT_WEIGHT",
    parse: positiveNumber,
    byDefault: "1",
    example: "1",
    about: "weight of the text list in the fusion; 0 leaves it out",
  },
  {
    key: "search.weights.vector",
    flag: "--vector-weight <x>",
    variable: "KONTEKS_VECTOR_WEIGHT",
    parse: positiveNumber,
    byDefault: "by kind of embedding",
    example: "0.5",
    about: "weight of the vector list in the fusion; 0 leaves it out",
  },
  {
    key: "search.rrfK",
    flag: "--rrf-k <n>",
    variable: "KONTEKS_RRF_K",
    parse: wholeNumber(0),
    byDefault: "60",
    example: "60",
    about: "the k of reciprocal rank fusion",
  },
  {
    key: "ingest.gitignore",
    flag: "--no-gitignore",
    variable: "KONTEKS_GITIGNORE",
    parse: yesOrNo,
    byDefault: "true",
    example: "true",
    about: "read files that .gitignore and .konteksignore leave out",
  },
  {
    key: "ingest.html",
    flag: "--html <part>",
    variable: "KONTEKS_HTML",
    parse: choice(["main", "all"]),
    byDefault: "main",
    example: '"main"',
    about: "of web pages: main (without navigation, page header and footer) or all",
  },
  {
    key: "ingest.password",
    flag: "--password <password>",
    variable: "KONTEKS_PASSWORD",
    parse: words,
    secret: true,
    byDefault: "none",
    example: '{ "contracts/*.pdf": process.env.CONTRACTS_PASSWORD ?? "" }',
    about: "password of encrypted files; in the file also by id or glob of ids",
  },
  {
    key: "ingest.maxFileBytes",
    flag: "--max-file-bytes <n>",
    variable: "KONTEKS_MAX_FILE_BYTES",
    parse: wholeNumber(1),
    byDefault: "104857600 (100 MiB)",
    example: "104857600",
    about: "largest file that is read, in bytes",
  },
  {
    key: "ingest.records",
    flag: "--records <fields>",
    variable: "KONTEKS_RECORDS",
    parse: recordFields,
    byDefault: "each file is one document",
    example: '{ text: "body", title: "headline", id: "key" }',
    about: "make a document of each record of JSON, JSON lines and CSV: text=body,title=headline,id=key",
  },
  {
    key: "ingest.metadata",
    flag: "--meta <key=value>",
    parse: words,
    byDefault: "nothing",
    example: '{ team: "finance" }',
    about: "metadata added to every document; may be repeated",
  },
];

/** The long flag without its value: `--chunk-size`. */
export function longFlag(setting: Setting): string {
  return /--[\w-]+/.exec(setting.flag)?.[0] ?? setting.flag;
}

/** The name under which commander hands over the value: `chunkSize`; `--no-x` comes as `x`. */
export function attributeOf(setting: Setting): string {
  return longFlag(setting)
    .replace(/^--(no-)?/, "")
    .replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
