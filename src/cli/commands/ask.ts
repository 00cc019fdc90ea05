import { existsSync } from "node:fs";
import { dirname, resolve, sep } from "node:path";
import type { ResolvedConfig } from "../../config/load.ts";
import { resolveLanguageModel } from "../../models/resolve.ts";
import {
  type AnswerEvent,
  type Filter,
  type IngestReport,
  type Konteks,
  KonteksError,
  type ProviderWait,
  type UnreadFile,
} from "../../spec/index.ts";
import { quoteArgument } from "../../util/quote-argument.ts";
import { askOptions, withWhole } from "../ask-flags.ts";
import { changedFilesNotes } from "../changed-files.ts";
import { checkModels } from "../check-models.ts";
import { keepTurn, readConversation } from "../conversation.ts";
import { exitCodeOf, ingestPaths } from "../ingesting.ts";
import { jsonText } from "../json-text.ts";
import { hintAtLocalModel } from "../local-hint.ts";
import { existingPath, indexName, isFolder, writableIndex } from "../paths.ts";
import { renderAnswer } from "../print/answer.ts";
import { count, shortPath } from "../print/layout.ts";
import { changes, renderReport } from "../print/report.ts";
import { queryFlags } from "../search-flags.ts";
import { configOf, EXIT, note, printJson, type Session, withIndex } from "../session.ts";
import { readThresholds } from "../thresholds.ts";
import { askedIndex, liesIn, readIndex } from "../which-index.ts";

export async function run(given: Session, words: readonly string[]): Promise<number> {
  const session = { ...given, flags: withWhole(given.flags) };
  const config = await configOf(session);
  const { source, question } = splitQuestion(words, session.cwd);
  return source === undefined
    ? askIndex(session, config, question)
    : askSource(session, config, source, question);
}

/** A name that is unknown, or a key that is missing, is told before a folder is indexed for nothing. Nothing is sent. */
async function checkModel({ open: { model, apiKeys, baseUrls } }: ResolvedConfig): Promise<void> {
  if (model === undefined) return;
  await resolveLanguageModel(model, { ...(apiKeys && { apiKeys }), ...(baseUrls && { baseUrls }) });
}

/**
 * `ask ./docs "how long?"` names a folder or file first; `ask "how long?"` and `ask how long` do not. A first word that
 * looks like a path and is none is told as such, never taken into the question.
 */
export function splitQuestion(words: readonly string[], cwd: string): { source?: string; question: string } {
  const [first = "", ...rest] = words;
  if (words.length === 0) {
    throw new KonteksError(
      "wrong-option",
      'There is no question. Type it, behind the folder that is to answer it: `konteks ask ./docs "your question"`.',
    );
  }
  const exists = existsSync(resolve(cwd, first));
  if (exists && rest.length === 0) {
    throw new KonteksError(
      "wrong-option",
      `There is no question. Type it after the folder: \`konteks ask ${first} "your question"\`.`,
      { facts: { folder: first } },
    );
  }
  if (!exists && !meansPath(first, rest)) return checked(words.join(" "));
  const [second = ""] = rest;
  if (rest.length > 1 && existsSync(resolve(cwd, second)) && !isFolder(resolve(cwd, second))) {
    throw new KonteksError(
      "wrong-option",
      `"${second}" is a file as well; one file or folder is asked at a time. Ask their folder, or \`konteks ingest\` the files and ask without a name.`,
      { facts: { file: second } },
    );
  }
  return { source: existingPath(first, cwd), ...checked(rest.join(" ")) };
}

function meansPath(first: string, rest: readonly string[]): boolean {
  if (rest.length === 0) return false;
  const looksLikePath = /^[.~]|[\\/]/.test(first) && !/\s/.test(first);
  const quotedQuestion = rest.length === 1 && /\s/.test(rest[0] ?? "") && !/\s/.test(first);
  return looksLikePath || quotedQuestion;
}

function checked(question: string): { question: string } {
  if (question.trim() !== "") return { question };
  throw new KonteksError("wrong-option", "The question is empty. Type what you want to know.");
}

async function askIndex(session: Session, config: ResolvedConfig, question: string): Promise<number> {
  const path = readIndex(session, config, "ask");
  const options = { ...config.open, path, mustExist: true, readOnly: true };
  return withIndex(session, options, async (konteks) => {
    await answer(session, konteks, config, { index: path, question });
    return EXIT.done;
  });
}

async function askSource(
  session: Session,
  config: ResolvedConfig,
  source: string,
  question: string,
): Promise<number> {
  await checkModel(config);
  const folder = isFolder(source) ? source : dirname(source);
  const asked = await askedIndex(session, config, source, folder);
  const path = writableIndex(asked.path, indexName(folder));
  await checkModels(config, path);
  const rebuild = session.flags.rebuild === true;
  return withIndex(session, { ...config.open, path, rebuild }, async (konteks) => {
    const report = await ingestPaths(session, konteks, config, [source]);
    tellRefresh(session, report, ingestCommand(session, source, path));
    const only = asked.shared || !isFolder(source) ? await onlySource(konteks, source) : {};
    await answer(session, konteks, config, { index: path, question, report, ...only });
    if (isNew(report)) await hintAtLocalModel(session, (await konteks.status()).identity?.embedding);
    return isAnswerable(report) ? EXIT.done : exitCodeOf(report);
  });
}

/** The first question to a folder. */
function isNew({ added, replaced, unchanged, deleted }: IngestReport): boolean {
  return added > 0 && replaced + unchanged + deleted === 0;
}

/** An answer from what could be read is one; what could not is told. Nothing that could be read is a failure. */
function isAnswerable({ added, replaced, unchanged }: IngestReport): boolean {
  return added + replaced + unchanged > 0;
}

/** Who asks a file or folder wants no answer from its neighbours, which may be in the same index. */
async function onlySource(konteks: Konteks, source: string): Promise<{ filter?: Filter }> {
  if (!isFolder(source)) return { filter: { field: "uri", op: "eq", value: source } };
  // Without a filter a small corpus can be sent whole.
  const alone = (await konteks.documents()).every((document) => liesIn(document, source));
  const value = source.endsWith(sep) ? source : source + sep;
  return alone ? {} : { filter: { field: "uri", op: "prefix", value } };
}

/** A refresh without news says nothing; what could not be read is named when it is new, and counted from then on. */
function tellRefresh(session: Session, report: IngestReport, command: string): void {
  const { io, json } = session;
  const isNews = ({ unchanged }: UnreadFile) => unchanged !== true;
  const news = {
    ...report,
    failed: report.failed.filter(isNews),
    unsupported: report.unsupported.filter(isNews),
  };
  const worked = report.added + report.replaced + report.deleted > 0;
  if (worked && exitCodeOf(news) !== 0 && !json) {
    io.note(`${renderReport(news, io.notes)}\n`);
    return;
  }
  const whole = exitCodeOf(report) === 0 || json;
  if (worked) note(session, io.notes.paint.dim(`Index refreshed: ${changes(report)}.${whole ? "\n" : ""}`));
  if (!whole) io.note(`${notWhole(report, command)}\n`);
}

function notWhole({ failed, incomplete }: IngestReport, command: string): string {
  const missing = new Set([
    ...failed.map(({ id }) => id),
    ...incomplete.map(({ chunkId }) => chunkId.replace(/#\d+$/, "")),
  ]).size;
  return `Not whole in the index: ${count(missing, "file")}. ${missing === 1 ? "It is" : "They are"} named by: ${command}`;
}

/** What brings the same source into the same index. */
function ingestCommand({ io }: Session, source: string, index: string): string {
  const [from, into] = [source, index].map((path) => quoteArgument(shortPath(path, io.notes)));
  return `konteks ingest ${from} --index ${into}`;
}

interface Asked {
  readonly index: string;
  readonly question: string;
  readonly filter?: Filter;
  readonly report?: IngestReport;
}

async function answer(
  session: Session,
  konteks: Konteks,
  config: ResolvedConfig,
  what: Asked,
): Promise<void> {
  const { io, signal, json, flags } = session;
  const asked = queryFlags(session);
  const filters = [what.filter, asked.filter].filter((filter) => filter !== undefined);
  const history = flags.continue === true ? readConversation(what.index, session.env) : [];
  const thresholds = readThresholds(what.index);
  const live = liveText(session);
  const options = {
    ...config.search,
    ...asked,
    ...(filters.length > 0 && { filter: filters.length === 1 && filters[0] ? filters[0] : { and: filters } }),
    ...askOptions(flags),
    history,
    ...(thresholds && { thresholds }),
    ...(live && { onEvent: live.onEvent }),
    onWait: (wait: ProviderWait) => tellWait(session, wait),
    signal,
  };
  const answered = await konteks.ask(what.question, options).catch((error: unknown) => {
    live?.end("");
    throw error;
  });
  // What was read just now is as it is.
  const changed = what.report
    ? []
    : await changedFilesNotes(session, konteks, what.index, answered.citations);
  const found = changed.length === 0 ? answered : { ...answered, notes: [...answered.notes, ...changed] };
  keepTurn(what.index, session.env, history, found);
  if (json) {
    printJson(session, { index: what.index, ...found, ...(what.report && { ingest: what.report }) });
    return;
  }
  // What was shown is not shown again, unless the answer is another one in the end.
  const streamed = live?.end(found.text) ?? false;
  io.print(renderAnswer(found, io.view, { streamed, cost: flags.cost === true }));
}

/** A provider that cannot serve may take minutes: nobody should wonder why nothing happens. */
function tellWait({ io, json, quiet }: Session, wait: ProviderWait): void {
  if (quiet) return;
  const { model, attempt, of, ms, status } = wait;
  const why = status === undefined ? "does not answer" : `cannot serve now (status ${status})`;
  const text = `${model} ${why}: try ${attempt} of ${of} in ${Math.max(1, Math.round(ms / 1_000))} s.`;
  io.note(json ? jsonText({ wait }) : text);
}

/** On a terminal the answer is shown while it is written. */
function liveText({ io, json, flags }: Session) {
  if (json || !io.stdoutIsTerminal || flags.strict === true) return undefined;
  let shown = "";
  return {
    onEvent(event: AnswerEvent) {
      if (event.type !== "text") return;
      shown += event.text;
      io.write(event.text);
    },
    end(text: string): boolean {
      if (shown !== "") io.write("\n\n");
      return shown !== "" && shown === text;
    },
  };
}
