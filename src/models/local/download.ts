import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { KonteksError } from "../../spec/index.ts";
import { type GetOptions, get } from "./request.ts";

/** What a file must be; a hub names the SHA-256 of large files and git's own hash (a SHA-1) of small ones. */
export interface ExpectedFile {
  readonly url: string;
  readonly bytes: number;
  readonly hash: { readonly kind: "sha256" | "git"; readonly value: string };
}

export interface DownloadOptions extends GetOptions {
  /** Told how much of the file is there, in bytes. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
  /** Times a cut connection is taken up again without a byte gained. Default 3. */
  readonly retries?: number | undefined;
}

/**
 * Downloads a file to `path`, which appears when its size and hash are right. What has come before an interruption stays
 * in `path.part` and is gone on with. Errors: "not-found", "unreadable" (wrong content), "model-failed" (no connection),
 * "aborted".
 */
export async function download(
  path: string,
  file: ExpectedFile,
  options: DownloadOptions = {},
): Promise<void> {
  const part = `${path}.part`;
  if (await isRight(path, file)) return;
  await mkdir(dirname(path), { recursive: true });
  const resumed = (await sizeOf(part)) > 0;
  await fetchRest(part, file, options);
  if (!(await isRight(part, file))) {
    await rm(part, { force: true });
    // What was there before may have been of an older version.
    if (!resumed) throw wrongContent(file);
    await fetchRest(part, file, options);
    if (!(await isRight(part, file))) {
      await rm(part, { force: true });
      throw wrongContent(file);
    }
  }
  await rename(part, path);
}

async function fetchRest(part: string, file: ExpectedFile, options: DownloadOptions): Promise<void> {
  let left = options.retries ?? 3;
  for (;;) {
    const before = await sizeOf(part);
    if (before >= file.bytes) return;
    try {
      await fetchFrom(part, before, file, options);
      if ((await sizeOf(part)) >= file.bytes) return;
      throw new Error("the connection ended early");
    } catch (error) {
      if (options.signal?.aborted) throw stopped(error);
      if (error instanceof KonteksError) throw error;
      const gained = (await sizeOf(part)) > before;
      if (!gained) left--;
      if (left < 0) throw noConnection(file, error);
    }
  }
}

async function fetchFrom(
  part: string,
  from: number,
  file: ExpectedFile,
  options: DownloadOptions,
): Promise<void> {
  const range = from > 0 ? { range: `bytes=${from}-` } : {};
  const response = await get(file.url, { ...options, headers: { ...options.headers, ...range } });
  const status = response.statusCode ?? 0;
  if (status >= 400) {
    response.resume();
    if (status >= 500 || status === 429) throw new Error(`status ${status}`);
    throw refused(file.url, status);
  }
  // A server that knows no ranges sends the whole file.
  const append = status === 206 && from > 0;
  let bytes = append ? from : 0;
  response.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    options.onBytes?.(bytes);
  });
  await pipeline(response, createWriteStream(part, { flags: append ? "a" : "w" }));
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

async function isRight(path: string, { bytes, hash }: ExpectedFile): Promise<boolean> {
  if ((await sizeOf(path)) !== bytes) return false;
  const digest = createHash(hash.kind === "git" ? "sha1" : "sha256");
  if (hash.kind === "git") digest.update(`blob ${bytes}\0`);
  await pipeline(createReadStream(path), digest);
  return digest.digest("hex") === hash.value;
}

export function refused(url: string, status: number): KonteksError {
  const { host, pathname } = new URL(url);
  const why = status === 404 ? "has not got it" : `refuses it (status ${status})`;
  const next =
    status === 401 || status === 403
      ? "Set HF_TOKEN if the model needs an account."
      : "Check the model's name.";
  return new KonteksError("not-found", `${host} ${why}: ${pathname}. ${next}`, { facts: { url, status } });
}

export function noConnection({ url }: Pick<ExpectedFile, "url">, cause: unknown): KonteksError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new KonteksError(
    "model-failed",
    `${new URL(url).host} cannot be reached: ${why}. Run the command again to go on where it stopped; HF_ENDPOINT names a mirror, HTTPS_PROXY a proxy.`,
    { facts: { url }, cause },
  );
}

function wrongContent({ url, hash }: ExpectedFile): KonteksError {
  return new KonteksError(
    "unreadable",
    `${url} is not what the hub says it is: its hash is not ${hash.value}. Nothing was kept. Try again, or take another mirror (HF_ENDPOINT).`,
    { facts: { url, hash: hash.value } },
  );
}

function stopped(cause: unknown): KonteksError {
  return new KonteksError(
    "aborted",
    "The download was stopped. Run the command again to go on where it was.",
    { cause },
  );
}
