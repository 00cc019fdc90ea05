import type { Address, Email } from "postal-mime";
import { KonteksError, type Metadata } from "../../spec/index.ts";
import { writeBlocks } from "./html-blocks.ts";
import { wholeContent } from "./html-main.ts";
import { createTextBuilder, type TextBuilder } from "./text-builder.ts";
import type { FoundFile, Member, Parsed } from "./types.ts";

/** A mail: its subject as the heading, who wrote to whom and when, then its plain or else its HTML text. */
export async function loadEmail(bytes: Uint8Array, file: FoundFile): Promise<Parsed> {
  const mail = await parseMail(bytes, file);
  const builder = createTextBuilder();
  if (mail.subject?.trim()) builder.add({ kind: "heading", level: 1, text: oneLine(mail.subject) });
  builder.add({ kind: "paragraph", text: headerLines(mail).map(([name, value]) => `${name}: ${value}`) });
  await writeBody(mail, builder);
  const names = named(mail);
  if (names.length > 0) builder.add({ kind: "paragraph", text: `Attachments: ${names.join(", ")}` });
  const { text, blocks, outline } = builder.finish();
  return { text, blocks, outline, format: "email", metadata: metadataOf(mail), warnings: warningsOf(mail) };
}

/** The attachments of a mail, without the pictures that its HTML shows. */
export async function attachmentsOf(bytes: Uint8Array, file: FoundFile): Promise<readonly Member[]> {
  const mail = await parseMail(bytes, file);
  return mail.attachments.filter(isOwn).map(({ filename, mimeType, content }, index) => {
    const data = typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content);
    return {
      name: nameOf(filename, mimeType, index),
      size: data.length,
      facts: { metadata: { ...metadataOf(mail), attachedTo: mail.subject?.trim() || file.id } },
      read: async () => data,
    };
  });
}

async function parseMail(bytes: Uint8Array, file: FoundFile): Promise<Email> {
  const { default: PostalMime } = await import("postal-mime");
  try {
    return await PostalMime.parse(withoutEnvelope(bytes), { maxNestingDepth: 64, maxRfc822NestingDepth: 5 });
  } catch (cause) {
    throw new KonteksError(
      "unreadable",
      `"${file.id}" cannot be read as a mail (${cause instanceof Error ? cause.message : String(cause)}). Export it anew.`,
      { facts: { path: file.path }, cause },
    );
  }
}

/** Mailboxes put a line "From …" or an empty one above the headers. */
function withoutEnvelope(bytes: Uint8Array): Uint8Array {
  const start = Buffer.from(bytes.subarray(0, 1000)).toString("latin1");
  const skipped = /^\s*(From [^\r\n]*\r?\n)?/.exec(start)?.[0].length ?? 0;
  return bytes.subarray(skipped);
}

/** The plain text, unless it is a line like "Your program cannot show this mail" beside a whole HTML text. */
async function writeBody({ text = "", html = "" }: Email, builder: TextBuilder): Promise<void> {
  if (text.trim() !== "" && (html === "" || text.trim().length >= 200)) return writePlain(text, builder);
  const written = createTextBuilder();
  const { parse } = await import("parse5");
  if (html !== "") writeBlocks(wholeContent(parse(html)), written);
  if (written.finish().text.length < 4 * text.trim().length) return writePlain(text, builder);
  writeBlocks(wholeContent(parse(html)), builder);
}

function writePlain(text: string, builder: TextBuilder): void {
  for (const paragraph of text.replace(/\r\n?/g, "\n").split(/\n(?:[^\S\n]*\n)+/)) {
    const kind = /^\s*>/.test(paragraph) ? "quote" : "paragraph";
    builder.add({ kind, text: paragraph.replace(/^\n+/, "").trimEnd() });
  }
}

function headerLines(mail: Email): readonly (readonly [name: string, value: string])[] {
  const lines: readonly (readonly [string, string])[] = [
    ["From", people(mail.from ? [mail.from] : mail.sender ? [mail.sender] : [])],
    ["To", people(mail.to)],
    ["Cc", people(mail.cc)],
    ["Date", dateOf(mail) ?? ""],
  ];
  return lines.filter(([, value]) => value !== "");
}

function people(addresses: readonly Address[] = []): string {
  return addresses
    .flatMap((each) => (each.address === undefined ? [each.name] : [person(each.name, each.address)]))
    .filter((each) => each !== "")
    .join(", ");
}

function person(name: string, address: string): string {
  return name === "" || name === address ? address : `${name} <${address}>`;
}

function metadataOf(mail: Email): Metadata {
  const date = dateOf(mail);
  const entries = [
    ["author", people(mail.from ? [mail.from] : [])],
    ["to", people(mail.to)],
    ["cc", people(mail.cc)],
    ["date", date?.slice(0, 10) ?? ""],
    ["messageId", mail.messageId ?? ""],
    ["inReplyTo", mail.inReplyTo ?? ""],
  ] as const;
  const names = named(mail);
  return {
    ...Object.fromEntries(entries.filter(([, value]) => value !== "")),
    ...(names.length > 0 && { attachments: names }),
  };
}

function dateOf({ date }: Email): string | undefined {
  return date === undefined || Number.isNaN(Date.parse(date)) ? undefined : date;
}

function named(mail: Email): string[] {
  return mail.attachments.filter(isOwn).map(({ filename, mimeType }, i) => nameOf(filename, mimeType, i));
}

/** Pictures that stand in the text of the mail are part of its looks. */
function isOwn({ related, mimeType }: Email["attachments"][number]): boolean {
  return !(related && mimeType.startsWith("image/"));
}

const ENDINGS: Readonly<Record<string, string>> = {
  "message/rfc822": "eml",
  "application/pdf": "pdf",
  "text/plain": "txt",
  "text/html": "html",
  "text/csv": "csv",
  "text/calendar": "ics",
};

function nameOf(filename: string | null, mimeType: string, index: number): string {
  const name = filename?.replace(/[/\\]+/g, "_").trim() ?? "";
  const tidy = name.replace(/^\.+/, "");
  if (tidy === "") return `attachment ${index + 1}.${ENDINGS[mimeType] ?? "bin"}`;
  return tidy;
}

function warningsOf({ text, html }: Email): string[] {
  return text?.trim() || html?.trim() ? [] : ["The mail has no text of its own, only its headers."];
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
