import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { type DocumentFormat, KonteksError } from "../../spec/index.ts";
import { timeoutSignal } from "../../util/timer.ts";
import type { FoundFile, LoadOptions } from "./types.ts";
import { type Address, type IsPublic, isPublicAddress, resolveHost } from "./web-address.ts";

export interface WebOptions extends Pick<LoadOptions, "maxBytes" | "signal"> {
  /** Milliseconds for everything: redirects, robots.txt and the page. Default 30,000. */
  readonly timeLimitMs?: number;
  /** Which addresses may be connected to. Default: those on the open internet. */
  readonly isPublic?: IsPublic;
}

const defaultTimeLimitMs = 30_000;
const defaultMaxBytes = 100 * 1024 * 1024;
const mostRedirects = 5;
const robotsMaxBytes = 512 * 1024;
const agentName = "konteks";

export function isWebAddress(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

/**
 * Fetches one page or file: over http(s) only, from the open internet only (asked again at every redirect, and connected
 * to the very address that was asked), within limits of size and time, and only what the site's robots.txt allows.
 * Nothing that the page mentions is fetched.
 *
 * @throws KonteksError "unreadable", "aborted"
 */
export async function fetchFile(address: string, options: WebOptions = {}): Promise<FoundFile> {
  const limit = timeoutSignal(options.timeLimitMs ?? defaultTimeLimitMs);
  const signal = options.signal ? AbortSignal.any([limit, options.signal]) : limit;
  try {
    const fetched = await follow(parseAddress(address), { ...options, signal });
    const { url, bytes } = fetched;
    const format = formatOf(fetched);
    const id = parseAddress(address).href;
    return {
      id,
      path: id,
      uri: url.href,
      size: bytes.length,
      read: async () => bytes,
      ...(format && { format }),
    };
  } catch (cause) {
    if (options.signal?.aborted)
      throw new KonteksError("aborted", `Fetching "${address}" was stopped. Run it again to go on.`, {
        cause,
      });
    if (cause instanceof KonteksError) throw cause;
    throw failed(address, limit.aborted ? "it took too long" : reasonOf(cause), cause);
  }
}

interface Fetched {
  readonly url: URL;
  readonly status: number;
  readonly type: string;
  readonly bytes: Uint8Array;
  readonly location?: string;
}

type Guard = WebOptions & { readonly signal: AbortSignal };

async function follow(start: URL, guard: Guard): Promise<Fetched> {
  let url = start;
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    await checkRobots(url, guard);
    const fetched = await get(url, guard, guard.maxBytes ?? defaultMaxBytes);
    if (fetched.location === undefined) {
      if (fetched.status === 200) return fetched;
      throw failed(start.href, `the server answers ${fetched.status}`);
    }
    url = parseAddress(new URL(fetched.location, url).href);
  }
  throw failed(start.href, `it redirects more than ${mostRedirects} times`);
}

function parseAddress(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw failed(address, "only addresses that begin with http:// or https:// are fetched");
  }
  url.hash = "";
  return url;
}

/** What robots.txt forbids is not fetched; a site without one allows everything (RFC 9309). */
async function checkRobots(url: URL, guard: Guard): Promise<void> {
  // Asked first for the page itself, so that a refusal names what the user named.
  await resolveHost(url, guard.isPublic ?? isPublicAddress);
  const where = new URL("/robots.txt", url);
  let answer: Fetched = await get(where, guard, robotsMaxBytes);
  for (let redirects = 0; answer.location !== undefined && redirects < mostRedirects; redirects++)
    answer = await get(parseAddress(new URL(answer.location, answer.url).href), guard, robotsMaxBytes);
  if (answer.status >= 500) throw failed(url.href, `the site's robots.txt answers ${answer.status}`);
  if (answer.status !== 200) return;
  const rules = (await loadRobotsParser())(where.href, new TextDecoder().decode(answer.bytes));
  if (rules.isDisallowed(url.href, agentName))
    throw failed(url.href, `the site's robots.txt does not allow "${agentName}" to`);
}

type RobotsParser = (
  url: string,
  text: string,
) => {
  isDisallowed(url: string, agent?: string): boolean | undefined;
};

/** Its types are those of a module whose function is its default export; what loads is the function. */
async function loadRobotsParser(): Promise<RobotsParser> {
  const loaded: unknown = (await import("robots-parser")).default;
  return loaded as RobotsParser;
}

async function get(url: URL, guard: Guard, maxBytes: number): Promise<Fetched> {
  const address = await resolveHost(url, guard.isPublic ?? isPublicAddress);
  const response = await request(url, address, guard.signal);
  try {
    const { statusCode: status = 0, headers } = response;
    const { location } = headers;
    if (status >= 300 && status < 400 && location !== undefined)
      return { url, status, location, type: "", bytes: new Uint8Array() };
    const packed = await collect(response, url, maxBytes);
    const bytes = await unpack(packed, headers["content-encoding"], maxBytes);
    const type = headers["content-type"] ?? "";
    return { url, status, type, bytes: withCharset(bytes, type) };
  } finally {
    response.destroy();
  }
}

/** Connects to the address that was checked, whatever the name stands for a moment later. */
async function request(url: URL, pinned: Address, signal: AbortSignal): Promise<IncomingMessage> {
  const { request: open } = await import(url.protocol === "https:" ? "node:https" : "node:http");
  return new Promise((resolve, reject) => {
    const asked = open(url, {
      signal,
      agent: false,
      headers: { "user-agent": agentName, accept: "*/*", "accept-encoding": "gzip, br" },
      lookup: (_host: string, options: { all?: boolean }, done: (...found: unknown[]) => void) =>
        options.all ? done(null, [pinned]) : done(null, pinned.address, pinned.family),
    });
    asked.on("response", resolve);
    asked.on("error", reject);
    asked.end();
  });
}

async function collect(response: IncomingMessage, url: URL, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > maxBytes) throw failed(url.href, `it has more than ${Math.ceil(maxBytes / 1024 / 1024)} MiB`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

async function unpack(
  bytes: Buffer,
  encoding: string | undefined,
  maxOutputLength: number,
): Promise<Uint8Array> {
  if (encoding === "gzip" || encoding === "x-gzip") return promisify(gunzip)(bytes, { maxOutputLength });
  if (encoding === "br") return promisify(brotliDecompress)(bytes, { maxOutputLength });
  if (encoding === "deflate") return promisify(inflate)(bytes, { maxOutputLength });
  return bytes;
}

/** Text in an encoding that only the server names, as UTF-8 with a mark, so that nothing has to be guessed. */
function withCharset(bytes: Uint8Array, type: string): Uint8Array {
  const charset = /^text\/[^;]+;.*charset=["']?([\w.:-]+)/i.exec(type)?.[1];
  if (charset === undefined || /^utf-?8$/i.test(charset)) return bytes;
  try {
    const text = new TextDecoder(charset, { fatal: true }).decode(bytes);
    return new TextEncoder().encode(`\uFEFF${text}`);
  } catch {
    return bytes;
  }
}

const formats: Readonly<Record<string, DocumentFormat>> = {
  "text/html": "html",
  "application/xhtml+xml": "html",
  "text/markdown": "markdown",
  "text/csv": "csv",
  "text/tab-separated-values": "csv",
  "application/json": "json",
  "application/x-ndjson": "json",
};

function formatOf({ type }: Fetched): DocumentFormat | undefined {
  return formats[type.split(";")[0]?.trim().toLowerCase() ?? ""];
}

function failed(address: string, reason: string, cause?: unknown): KonteksError {
  return new KonteksError(
    "unreadable",
    `"${address}" is not fetched: ${reason}. Check the address, or save the page and ingest the file.`,
    { facts: { url: address }, ...(cause === undefined ? {} : { cause }) },
  );
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
