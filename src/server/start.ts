import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { isIPv6 } from "node:net";
import { type Konteks, KonteksError } from "../spec/index.ts";
import { createHandler, type HandlerOptions } from "./handler.ts";

export interface ServerOptions extends HandlerOptions {
  /** Address to listen on. Default "127.0.0.1", this machine alone; any other needs a token. */
  readonly host?: string;
  /** Default 4280; 0 takes one that is free. */
  readonly port?: number;
}

export interface RunningServer {
  /** `http://127.0.0.1:4280` */
  readonly url: string;
  readonly port: number;
  /** Takes no more requests, lets those under way end for `graceMs` (default 2,000), then ends their connections. */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

/**
 * Serves an open index on Node; closing the index stays with the caller. On this machine's own address only its own names
 * are taken as `Host`, beside those of `hosts`.
 *
 * @throws KonteksError `wrong-option` without a token on another address, or when the address cannot be had.
 */
export async function startServer(konteks: Konteks, options: ServerOptions = {}): Promise<RunningServer> {
  const { host = "127.0.0.1", port = 4280, token, hosts = [] } = options;
  const own = isLoopback(host);
  if (token?.trim() === "") throw new KonteksError("wrong-option", "The token is blank. Give one, or none.");
  if (!own && token === undefined)
    throw new KonteksError(
      "wrong-option",
      `At ${host} others can ask as well, so a token is needed: set KONTEKS_TOKEN (library: token), or listen on 127.0.0.1.`,
      { facts: { host } },
    );
  const names = own ? [...LOOPBACK, inUrl(host), ...hosts] : hosts;
  const fetch = createHandler(konteks, { ...options, ...(names.length > 0 && { hosts: names }) });
  const { createAdaptorServer } = await import("@hono/node-server");
  const server = createAdaptorServer({ fetch, overrideGlobalObjects: false }) as Server;
  await listening(server, host, port);
  const taken = (server.address() as AddressInfo).port;
  return {
    url: `http://${inUrl(host)}:${taken}`,
    port: taken,
    close: ({ graceMs = 2_000 } = {}) => closed(server, graceMs),
  };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

function inUrl(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}

async function listening(server: Server, host: string, port: number): Promise<void> {
  server.listen({ host, port });
  await once(server, "listening").catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code === "EADDRINUSE" ? "it is taken" : cause.message;
    throw new KonteksError(
      "wrong-option",
      `The server cannot listen on ${inUrl(host)}:${port}: ${reason}. Choose another with --port or --host.`,
      { facts: { host, port }, cause },
    );
  });
}

async function closed(server: Server, graceMs: number): Promise<void> {
  const ended = once(server, "close");
  server.close();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await ended;
  clearTimeout(timer);
}
