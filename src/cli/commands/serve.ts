import { once } from "node:events";
import { isSet } from "../../config/environment.ts";
import { type RunningServer, type ServerOptions, startServer } from "../../server/index.ts";
import { type Konteks, KonteksError } from "../../spec/index.ts";
import { failure } from "../failure.ts";
import { jsonText } from "../json-text.ts";
import { existingIndex } from "../paths.ts";
import { count, shortPath } from "../print/layout.ts";
import { configOf, EXIT, indexPath, note, type Session, withIndex } from "../session.ts";
import { readThresholds } from "../thresholds.ts";

/** Answers over HTTP until Ctrl-C. Nothing that a request can do changes the index, so it is only read. */
export async function run(session: Session, _args: readonly string[]): Promise<number> {
  const { cwd, io, signal, flags } = session;
  const config = await configOf(session);
  const path = existingIndex(indexPath(config, cwd), cwd, "serve");
  const { queryLog, ...open } = config.open;
  const log = flags.readOnly === true || queryLog === undefined ? {} : { queryLog };
  return withIndex(session, { ...open, ...log, path, mustExist: true, readOnly: true }, async (konteks) => {
    const thresholds = readThresholds(path);
    const server = await startServer(konteks, {
      ...serverFlags(session),
      search: config.search,
      ...(thresholds && { ask: { thresholds } }),
      onError: (error) => note(session, failure(error, session).text),
    });
    try {
      if (session.json) io.print(jsonText({ url: server.url, index: path }));
      else io.print(await announcement(konteks, server, shortPath(path, io.notes)));
      if (!signal.aborted) await once(signal, "abort");
    } finally {
      await server.close();
    }
    return EXIT.done;
  });
}

async function announcement(konteks: Konteks, { url }: RunningServer, path: string): Promise<string> {
  const { counts } = await konteks.status();
  const size = `${count(counts.documents, "document")}, ${count(counts.chunks, "chunk")}`;
  return `Serving ${path} (${size}) at ${url}; Ctrl-C ends it.`;
}

function serverFlags({ flags, env }: Session): ServerOptions {
  const { host, port, allowHost, allowOrigin } = flags;
  const token = flags.token ?? (isSet(env.KONTEKS_TOKEN) ? env.KONTEKS_TOKEN : undefined);
  return {
    ...(host !== undefined && { host: String(host) }),
    ...(port !== undefined && { port: portOf(String(port)) }),
    ...(token !== undefined && { token: String(token) }),
    ...(Array.isArray(allowHost) && { hosts: allowHost.map(String) }),
    ...(Array.isArray(allowOrigin) && { allowOrigins: allowOrigin.map(String) }),
  };
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new KonteksError("wrong-option", `--port must be a number from 0 to 65535, not "${text}".`);
}
