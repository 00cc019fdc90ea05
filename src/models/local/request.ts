import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";

type Env = Readonly<Record<string, string | undefined>>;

export interface GetOptions {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sent to the first host only, never to one that it redirects to. */
  readonly secretHeaders?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Where the proxy's address stands (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`). Needs Node 22.21 or 24.5. Default `process.env`. */
  readonly env?: Env | undefined;
  /** Nothing came for so long, in milliseconds. Default 30,000. */
  readonly idleMs?: number | undefined;
}

const MAX_REDIRECTS = 5;

/** GET through the user's proxy, redirects followed. The body is unread. */
export async function get(url: string, options: GetOptions = {}): Promise<IncomingMessage> {
  const first = new URL(url);
  let current = first;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const secrets = current.host === first.host ? options.secretHeaders : {};
    const response = await once(current, { ...options, headers: { ...options.headers, ...secrets } });
    const { location } = response.headers;
    if (response.statusCode === undefined || response.statusCode < 300 || response.statusCode >= 400)
      return response;
    if (location === undefined) return response;
    response.resume();
    const next = new URL(location, current);
    if (current.protocol === "https:" && next.protocol !== "https:")
      throw new Error(`${current.host} redirects to an address without encryption`);
    current = next;
  }
  throw new Error(`${first.host} redirects more than ${MAX_REDIRECTS} times`);
}

function once(
  url: URL,
  { headers, signal, env = process.env, idleMs = 30_000 }: GetOptions,
): Promise<IncomingMessage> {
  const secure = url.protocol === "https:";
  const proxyEnv = { proxyEnv: env } as object;
  const agent = secure ? new HttpsAgent(proxyEnv) : new HttpAgent(proxyEnv);
  return new Promise((resolve, reject) => {
    const options = { agent, ...(headers && { headers: { ...headers } }), ...(signal && { signal }) };
    const request = (secure ? requestHttps : requestHttp)(url, options, resolve);
    request.setTimeout(idleMs, () => {
      request.destroy(new Error(`${url.host} sent nothing for ${Math.round(idleMs / 1000)} seconds`));
    });
    request.on("error", reject);
    request.end();
  });
}
