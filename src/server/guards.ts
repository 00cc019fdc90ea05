import { createHash, timingSafeEqual } from "node:crypto";
import type { Context, MiddlewareHandler } from "hono";
import { type Problem, problem } from "./problem.ts";

type Tell = (c: Context, found: Problem) => Response;

/**
 * A page of another site can have its own name point to this machine (DNS rebinding) and then reads what a server there
 * says. Its requests carry that name.
 */
export function allowedHosts(hosts: readonly string[], tell: Tell): MiddlewareHandler {
  const names = hosts.map((host) => host.toLowerCase());
  return async (c, next) => {
    const name = nameOf(hostOf(c));
    if (name !== undefined && names.includes(name)) return next();
    const message = `This server does not go by the name "${hostOf(c)}". Allow it with --allow-host (library: hosts).`;
    return tell(c, problem(403, "wrong-host", message));
  };
}

function hostOf(c: Context): string {
  return c.req.header("host") ?? new URL(c.req.url).host;
}

function nameOf(host: string): string | undefined {
  const url = `http://${host}`;
  return URL.canParse(url) ? new URL(url).hostname.toLowerCase() : undefined;
}

const CORS: Readonly<Record<string, string>> = {
  "Access-Control-Allow-Methods": "GET, POST",
  "Access-Control-Allow-Headers": "authorization, content-type",
  "Access-Control-Max-Age": "600",
};

/** Browsers name the page that asks. Pages of other origins are refused, since they could at least cause costs. */
export function allowedOrigins(origins: readonly string[], tell: Tell): MiddlewareHandler {
  return async (c, next) => {
    const origin = c.req.header("origin");
    if (origin === undefined || isOwn(origin, c)) return next();
    if (!origins.includes("*") && !origins.includes(origin)) {
      const message = `Pages of "${origin}" may not ask here. Allow it with --allow-origin (library: allowOrigins).`;
      return tell(c, problem(403, "wrong-origin", message));
    }
    const preflight = c.req.method === "OPTIONS";
    if (!preflight) await next();
    const response = preflight ? new Response(null, { status: 204, headers: CORS }) : c.res;
    response.headers.set("Access-Control-Allow-Origin", origin);
    response.headers.append("Vary", "Origin");
    return preflight ? response : undefined;
  };
}

function isOwn(origin: string, c: Context): boolean {
  return URL.canParse(origin) && new URL(origin).host === hostOf(c).toLowerCase();
}

/** Compared by hash and in constant time, so that neither length nor beginning of the token shows. */
export function withToken(token: string, tell: Tell): MiddlewareHandler {
  const wanted = hashOf(token);
  return async (c, next) => {
    const given = /^Bearer +(\S+)\s*$/i.exec(c.req.header("authorization") ?? "")?.[1];
    if (given !== undefined && timingSafeEqual(hashOf(given), wanted)) return next();
    c.header("WWW-Authenticate", "Bearer");
    const what = given === undefined ? "The token is missing" : "The token is wrong";
    return tell(c, problem(401, "unauthorized", `${what}. Send it as "Authorization: Bearer <token>".`));
  };
}

function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
