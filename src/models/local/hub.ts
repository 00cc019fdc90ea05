import { text } from "node:stream/consumers";
import { KonteksError } from "../../spec/index.ts";
import { type ExpectedFile, noConnection, refused } from "./download.ts";
import { type GetOptions, get } from "./request.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** A file of a repository on the hub. */
export interface HubFile extends ExpectedFile {
  readonly path: string;
}

/** The model hub, or the mirror that `HF_ENDPOINT` names. */
export function hubAddress(env: Env = process.env): string {
  return (env.HF_ENDPOINT || "https://huggingface.co").replace(/\/+$/, "");
}

/** The user's own token for models that need an account. */
export function hubHeaders(env: Env = process.env): Readonly<Record<string, string>> {
  return env.HF_TOKEN ? { authorization: `Bearer ${env.HF_TOKEN}` } : {};
}

interface TreeEntry {
  readonly type: string;
  readonly path: string;
  readonly size: number;
  readonly oid: string;
  readonly lfs?: { readonly oid: string; readonly size: number };
}

/** The files of a repository, with what each must be (the hub's "tree" call). Errors: "not-found", "model-failed". */
export async function hubFiles(
  repo: string,
  env: Env = process.env,
  options: GetOptions = {},
): Promise<readonly HubFile[]> {
  const hub = hubAddress(env);
  const url = `${hub}/api/models/${repo}/tree/main?recursive=true`;
  const response = await get(url, { ...options, env, secretHeaders: hubHeaders(env) }).catch(
    (error: unknown) => {
      if (options.signal?.aborted) throw new KonteksError("aborted", "stopped.", { cause: error });
      throw noConnection({ url }, error);
    },
  );
  const body = await text(response);
  if (response.statusCode !== 200) throw refused(url, response.statusCode ?? 0);
  return entriesOf(body, url)
    .filter(({ type }) => type === "file")
    .map(({ path, size, oid, lfs }) => ({
      path,
      url: `${hub}/${repo}/resolve/main/${path}`,
      bytes: lfs?.size ?? size,
      hash: lfs ? { kind: "sha256", value: lfs.oid } : { kind: "git", value: oid },
    }));
}

function entriesOf(body: string, url: string): readonly TreeEntry[] {
  try {
    const entries: unknown = JSON.parse(body);
    if (Array.isArray(entries)) return entries as TreeEntry[];
  } catch {
    // told below
  }
  const message = `${url} does not answer as a model hub does. Check HF_ENDPOINT.`;
  throw new KonteksError("unreadable", message, { facts: { url } });
}
