import type { CitingText, SimulatedCall } from "./types.ts";

/** Every text of the simulation begins with it, so that nobody takes it for a model's. */
export const mark = "[simulated]";

/** What is said without a script: a context, an answer or an echo, made only from what was really sent. */
export function defaultReply(call: SimulatedCall): string {
  const sent = [call.system, ...call.messages.map(({ text }) => text)].join("\n");
  const document = between(sent, "document") ?? between(sent, "dokumen");
  const numbers = /Chunks ([\d, ]+)\./.exec(call.messages.at(-1)?.text ?? "")?.[1];
  if (call.structured && document !== undefined && numbers !== undefined)
    return groupedContexts(document, numbers.split(", ").map(Number));
  const chunk = between(sent, "chunk") ?? between(sent, "potongan");
  if (document !== undefined && chunk !== undefined) return contextOf(document, chunk);
  if (/<question>/.test(sent)) return answerOf(sent);
  return `${mark} ${firstLine(call.messages.at(-1)?.text ?? "").slice(0, 120)}`;
}

/** Where documents were sent to be cited from: the first sentence of the first one, cited; in blocks, as the provider parts them. */
export function citingReply({ documents = [] }: SimulatedCall): readonly CitingText[] | undefined {
  const [document] = documents;
  if (document === undefined) return undefined;
  const sentence = firstSentence(document.text);
  return [
    { text: `${mark} `, cites: [] },
    { text: sentence.replace(/\s+/g, " "), cites: [sentence] },
  ];
}

/** Names the document by its first line, and the chunk by its longest words; says so when it stands elsewhere. */
function contextOf(document: string, chunk: string): string {
  const plain = document.replace(/<\/?chunk-\d+>/g, "");
  if (!plain.includes(chunk)) return `${mark} This chunk does not stand in "${firstLine(plain)}".`;
  return `${mark} ${firstLine(plain)}: ${longestWords(chunk).join(", ")}.`;
}

/** One for each number, from the text between its borders. */
function groupedContexts(document: string, numbers: readonly number[]): string {
  const contexts = numbers.map((chunk) => {
    const text = between(document, `chunk-${chunk}`)?.replace(/<\/?chunk-\d+>/g, "");
    return { chunk, context: contextOf(document, text ?? "\0") };
  });
  return JSON.stringify({ contexts });
}

/** Quotes the first sentence of the first source, in the form the request asks for. */
function answerOf(sent: string): string {
  const source = between(sent, "source");
  const text = source === undefined ? undefined : (between(source, "text") ?? source);
  if (text === undefined || text.trim() === "") return "NOT_FOUND";
  const quote = firstSentence(text).replace(/\s+/g, " ");
  return `${mark} ${quote} [1]\n\n<quotes>\n[1] ${quote}\n</quotes>`;
}

function firstSentence(text: string): string {
  return /^.*?[.!?。！？](?=\s|$)/su.exec(text.trim())?.[0] ?? text.trim();
}

/** Text between the first pair of tags; the line breaks right inside belong to the tags. */
function between(text: string, tag: string): string | undefined {
  return new RegExp(`<${tag}(?: [^>]*)?>\\n?([\\s\\S]*?)\\n?</${tag}>`).exec(text)?.[1];
}

function firstLine(text: string): string {
  const plain = text.replace(/<\/?chunk-\d+>/g, "");
  const line = plain.split("\n").find((one) => one.trim() !== "") ?? "";
  return line
    .replace(/^#+\s*/, "")
    .trim()
    .slice(0, 120);
}

function longestWords(text: string): string[] {
  const words = [...new Set(text.match(/\p{L}+/gu) ?? [])];
  return words.sort((a, b) => b.length - a.length || (a < b ? -1 : 1)).slice(0, 3);
}
