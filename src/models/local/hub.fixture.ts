import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** How the server misbehaves. */
export interface HubFaults {
  /** The connection is cut once, after so many bytes of the file. */
  cutOnce?: { readonly path: string; readonly after: number } | undefined;
  /** Other bytes than the listing promises. */
  wrong?: string | undefined;
  noRanges?: boolean;
  down?: boolean;
}

export interface Hub extends AsyncDisposable {
  readonly address: string;
  readonly faults: HubFaults;
  /** "path range" of every file that was asked for, and of every secret that reached the second host. */
  readonly asked: string[];
}

/**
 * A server that answers as the model hub does: a listing with hashes (SHA-256 of large files, git's of small ones), and
 * files by way of a redirect to another host (here: another name of this one), with ranges.
 */
export async function startHub(repo: string, files: ReadonlyMap<string, Buffer>): Promise<Hub> {
  const faults: HubFaults = {};
  const asked: string[] = [];
  const server = createServer((request, response) => {
    if (faults.down) return void request.socket.destroy();
    const url = new URL(request.url ?? "/", "http://hub");
    if (url.pathname === `/api/models/${repo}/tree/main`) return json(response, listing(files));
    const resolved = /\/resolve\/main\/(.+)$/.exec(url.pathname)?.[1];
    const port = (server.address() as AddressInfo).port;
    if (resolved !== undefined && files.has(resolved)) {
      response.writeHead(302, { location: `http://localhost:${port}/cdn/${resolved}` }).end();
      return;
    }
    const path = url.pathname.replace(/^\/cdn\//, "");
    const content = files.get(path);
    if (content === undefined) return void response.writeHead(404).end();
    asked.push(`${path} ${request.headers.range ?? "all"}${request.headers.authorization ? " SECRET" : ""}`);
    sendFile(request, response, path, content, faults);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    asked,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function listing(files: ReadonlyMap<string, Buffer>): object[] {
  return [...files].map(([path, content]) => {
    const git = createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex");
    const entry = { type: "file", path, size: content.length, oid: git };
    if (!path.endsWith(".onnx")) return entry;
    const oid = createHash("sha256").update(content).digest("hex");
    return { ...entry, oid: "of the pointer", lfs: { oid, size: content.length } };
  });
}

function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
}

function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  content: Buffer,
  faults: HubFaults,
): void {
  const body = faults.wrong === path ? Buffer.alloc(content.length, 7) : content;
  const range = /^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1];
  const from = range === undefined || faults.noRanges ? 0 : Number(range);
  const rest = body.subarray(from);
  response.writeHead(from > 0 ? 206 : 200, { "content-length": rest.length });
  const { cutOnce } = faults;
  if (cutOnce?.path !== path) return void response.end(rest);
  faults.cutOnce = undefined;
  response.write(rest.subarray(0, cutOnce.after), () => setTimeout(() => request.socket.destroy(), 20));
}
