/**
 * What loading makes of real files.
 *
 *   npm run bench:loaders                      every file of the evaluation data, one line each
 *     --apart                                  in processes of their own, as ingest does (memory is then theirs)
 *     --mixed 10000                            as many documents end to end, without a model, instead
 *     --keep <folder>                          where these documents are made (default: a temporary folder, removed)
 */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { table } from "../src/eval/report/table.ts";
import { type Expected, loaded, refused } from "../src/ingest/load/expected.fixture.ts";
import { listFiles, loadFile } from "../src/ingest/load/index.ts";
import type { FoundFile } from "../src/ingest/load/types.ts";
import { openKonteks } from "../src/open.ts";
import { type Document, isKonteksError } from "../src/spec/index.ts";
import { processorSeconds, watchMemory } from "./all-processes.ts";

const { values: flags } = parseArgs({
  options: {
    apart: { type: "boolean", default: false },
    mixed: { type: "string" },
    keep: { type: "string" },
  },
});
const root = join(resolve(process.env.KONTEKS_DATA ?? "../shared/datasets"), "files");
if (!existsSync(root))
  throw new Error(`The evaluation data is not at ${root}. Set KONTEKS_DATA to its folder.`);
const files = (await listFiles(root)).filter(({ id }) => id in loaded || id in refused);

/** Files that take a second and more stand for one document in fifty, as books and yearly reports do. */
const large = /handbook|geotopo|10k-inline/;

if (flags.mixed === undefined) await everyFile();
else await mixed(Number(flags.mixed));

async function everyFile(): Promise<void> {
  const rows: string[][] = [];
  let right = 0;
  for (const file of files) {
    const password = loaded[file.id]?.password;
    // A file that opens with its password is refused without one: both are looked at.
    for (const given of password === undefined ? [undefined] : [undefined, password]) {
      const { row, isRight } = await one(file, given);
      rows.push(row);
      if (isRight) right++;
    }
  }
  console.log(table(["file", "status", "characters", "sections", "pages", "phrases", "ms", "MiB"], rows));
  console.log(`\n${right} of ${rows.length} as expected`);
  if (right < rows.length) process.exitCode = 1;
}

async function one(file: FoundFile, password: string | undefined) {
  const memory = process.memoryUsage().rss;
  const start = performance.now();
  const result = await loadFile(file, {
    apart: flags.apart,
    ...(password === undefined ? {} : { pdf: { password } }),
  }).then(
    ({ document }) => document,
    (error: unknown) => (isKonteksError(error) ? error.code : String(error)),
  );
  const ms = (performance.now() - start).toFixed(0);
  const grown = Math.max(0, (process.memoryUsage().rss - memory) / 2 ** 20).toFixed(0);
  const name = password === undefined ? file.id : `${file.id} (password)`;
  const expected = loaded[file.id];
  if (typeof result === "string") {
    const row = [name, result, "", "", "", "", ms, grown];
    return { row, isRight: password === undefined && refused[file.id] === result };
  }
  const found = expected === undefined ? 0 : phrasesFound(result, expected);
  const all = expected?.phrases.length ?? 0;
  const { text, outline, pages, warnings = [] } = result;
  const status = warnings.length === 0 ? "loaded" : `loaded, ${warnings.length} warnings`;
  const row = [
    name,
    status,
    text.length,
    outline.length,
    pages?.length ?? "",
    `${found}/${all}`,
    ms,
    grown,
  ].map(String);
  return { row, isRight: all > 0 && found === all };
}

/** Phrases in the order in which they are expected, whatever the line ends. */
function phrasesFound(document: Document, { phrases }: Expected): number {
  const text = document.text.replace(/\s+/g, " ");
  let at = 0;
  return phrases.filter((phrase) => {
    const found = text.indexOf(phrase, at);
    if (found >= 0) at = found;
    return found >= 0;
  }).length;
}

async function mixed(count: number): Promise<void> {
  const folder = flags.keep ?? (await mkdtemp(join(tmpdir(), "konteks-mixed-")));
  try {
    await makeMixed(folder, count);
    const konteks = await openKonteks({ path: join(folder, ".konteks") });
    const before = processorSeconds();
    const watch = watchMemory();
    const report = await konteks.ingest(folder);
    const again = await konteks.ingest(folder);
    const cpu = processorSeconds() - before;
    const { counts } = await konteks.status();
    await konteks.close();
    const failed = Map.groupBy([...report.failed, ...report.unsupported], ({ reason }) =>
      reason.replace(/^"[^"]*"/, "…"),
    );
    console.log(
      `${report.added} of ${count} documents in ${(report.ms / 60_000).toFixed(1)} min, ${report.chunks} chunks`,
    );
    console.log(`again, unchanged: ${again.unchanged} in ${(again.ms / 1000).toFixed(1)} s`);
    console.log(
      `processor ${(cpu / 60).toFixed(1)} min, peak memory ${watch.peak().toFixed(0)} MiB, index ${(counts.bytes / 2 ** 20).toFixed(0)} MiB`,
    );
    for (const [reason, some] of failed) console.log(`${some.length} not in: ${reason}`);
  } finally {
    if (flags.keep === undefined) await rm(folder, { recursive: true, force: true });
  }
}

/** Copies with changed words where words can be changed; other files as they are. */
async function makeMixed(folder: string, count: number): Promise<void> {
  const ordinary = files.filter(({ id }) => !large.test(id));
  const books = files.filter(({ id }) => large.test(id));
  for (let number = 0; number < count; number++) {
    const book = books[((number / 50) % books.length) | 0];
    const file = number % 50 === 0 && book !== undefined ? book : ordinary[number % ordinary.length];
    if (file === undefined) continue;
    const path = join(folder, String(number % 100), `${number}-${file.id.replaceAll("/", "-")}`);
    await mkdir(dirname(path), { recursive: true });
    const bytes = await readFile(file.path);
    await writeFile(path, /^(md|html|code|eml|csv)\//.test(file.id) ? changed(bytes, number) : bytes);
  }
}

/** Every fortieth word of letters gets the document's number behind it. */
function changed(bytes: Buffer, number: number): Buffer {
  let words = 0;
  const text = bytes
    .toString("latin1")
    .replace(/(?<= )[a-z]{4,}(?= )/g, (word) => (++words % 40 === 0 ? `${word}${number}` : word));
  return Buffer.from(text, "latin1");
}
