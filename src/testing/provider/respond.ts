import type { IncomingMessage, ServerResponse } from "node:http";
import type { StreamEvent } from "./types.ts";

export async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

/** Server-sent events (HTML Standard, "Server-sent events"); with `cut`, the connection breaks half way. */
export function sendEvents(response: ServerResponse, events: readonly StreamEvent[], cut: boolean): void {
  const sent = cut ? events.slice(0, Math.ceil(events.length / 2)) : events;
  for (const { event, data } of sent) {
    const name = event === undefined ? "" : `event: ${event}\n`;
    response.write(`${name}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`);
  }
  if (!cut) response.end();
  // What was written has to leave before the connection breaks.
  else setTimeout(() => response.destroy(), 20);
}
