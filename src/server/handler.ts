import { type Context, Hono } from "hono";
import { methodNotAllowed } from "hono/method-not-allowed";
import type { AnswerOptions, Konteks, SearchOptions } from "../spec/index.ts";
import { askOptions } from "./ask-request.ts";
import { answerStream } from "./event-stream.ts";
import { allowedHosts, allowedOrigins, withToken } from "./guards.ts";
import { type Problem, problem, problemOf } from "./problem.ts";
import { ASK, readRequest, SEARCH } from "./request.ts";
import { searchOptions } from "./search-request.ts";

/** Answers requests of the web's own kind; fits wherever a `fetch` handler is taken (Node, Deno, Bun, Next.js, Hono). */
export type Handler = (request: Request) => Promise<Response>;

export interface HandlerOptions {
  /** What holds for every search and question; a request's own settings go over it, its filter is added. Default: nothing. */
  readonly search?: SearchOptions;
  /** The same for questions alone. */
  readonly ask?: AnswerOptions;
  /** Requests have to bring it: `Authorization: Bearer <token>`. Only `GET /health` does without. Default: no token. */
  readonly token?: string;
  /** Names that the `Host` header may hold, without port. Default: any. */
  readonly hosts?: readonly string[];
  /** Origins whose pages may ask (`https://example.org`), "*" for any. Default: only pages of the server's own origin. */
  readonly allowOrigins?: readonly string[];
  /** Largest body of a request, in bytes. Default 1 MiB. */
  readonly maxBodyBytes?: number;
  /** Path that the routes are below ("/api/konteks"). Default "/". */
  readonly basePath?: string;
  /** Told what went wrong on this side: everything that is answered with a status from 500. */
  readonly onError?: (error: unknown) => void;
}

const MAX_BODY_BYTES = 2 ** 20;

/** The HTTP interface of an index that is open; closing it stays with the caller. */
export function createHandler(konteks: Konteks, options: HandlerOptions = {}): Handler {
  const { token, hosts, allowOrigins = [], basePath = "/", onError } = options;
  const app = new Hono().basePath(basePath);
  app.onError((error, c) => {
    const found = problemOf(error);
    // Who has gone away is told nothing, and nothing is wrong here.
    if (found.status >= 500 && !c.req.raw.signal.aborted) onError?.(error);
    return told(c, found);
  });
  app.notFound((c) => told(c, problem(404, "not-found", `There is nothing at ${c.req.path}. ${ROUTES}`)));
  app.use(async (c, next) => {
    await next();
    c.header("Cache-Control", "no-store");
    c.header("X-Content-Type-Options", "nosniff");
  });
  if (hosts) app.use(allowedHosts(hosts, told));
  app.use(allowedOrigins(allowOrigins, told));
  app.use(methodNotAllowed({ app, onMethodNotAllowed: wrongMethod }));
  app.get("/health", async (c) => c.json(await health(konteks)));
  if (token !== undefined) app.use(withToken(token, told));
  addRoutes(app, konteks, options);
  return async (request) => app.fetch(request);
}

function addRoutes(
  app: Hono,
  konteks: Konteks,
  { search = {}, ask = {}, maxBodyBytes = MAX_BODY_BYTES, onError }: HandlerOptions,
): void {
  app.get("/documents", async (c) => c.json({ documents: await konteks.documents() }));
  app.get("/status", async (c) => c.json(await konteks.status()));
  app.post("/search", async (c) => {
    const { query, ...own } = await readRequest(c.req.raw, SEARCH, maxBodyBytes);
    const { signal } = c.req.raw;
    return c.json(await konteks.search(query, { ...searchOptions(own, search), signal }));
  });
  app.post("/ask", async (c) => {
    const { question, ...own } = await readRequest(c.req.raw, ASK, maxBodyBytes);
    const asked = askOptions(own, search, ask);
    const { signal } = c.req.raw;
    if (!/\btext\/event-stream\b/.test(c.req.header("accept") ?? ""))
      return c.json(await konteks.ask(question, { ...asked, signal }));
    return answerStream(signal, (live) => konteks.ask(question, { ...asked, ...live }), onError);
  });
}

const ROUTES = "There are POST /search, POST /ask, GET /documents, GET /status and GET /health.";

/** Reads from the index, so that one that cannot be read is not called healthy. */
async function health(konteks: Konteks): Promise<{ readonly status: "ok" }> {
  await konteks.document("health");
  return { status: "ok" };
}

function wrongMethod(c: Context, methods: readonly string[]): Response {
  const allowed = methods.join(", ");
  c.header("Allow", allowed);
  return told(
    c,
    problem(405, "wrong-method", `${c.req.path} takes ${allowed}, not ${c.req.method}. ${ROUTES}`),
  );
}

function told(c: Context, { status, error }: Problem): Response {
  return c.json({ error }, status);
}
