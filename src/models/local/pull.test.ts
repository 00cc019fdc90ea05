import { existsSync } from "node:fs";
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { packTar } from "modern-tar";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeZip } from "../../ingest/load/make-files.fixture.ts";
import { createLocalEmbedder } from "./embedder.ts";
import { installedModels, MANIFEST } from "./folder.ts";
import { type Hub, startHub } from "./hub.fixture.ts";
import { type PullProgress, pullModel } from "./pull.ts";
import { writeTinyModel } from "./tiny-model.fixture.ts";

const REPO = "someone/tiny-encoder";
const MODEL = "onnx/model.onnx";
let root: string;
let hub: Hub;
let env: Record<string, string>;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "konteks-pull-"));
  const source = join(root, "source");
  await writeTinyModel(source);
  hub = await startHub(REPO, await filesBelow(source));
  env = { KONTEKS_MODELS: join(root, "models"), HF_ENDPOINT: hub.address, HF_TOKEN: "secret" };
});
afterEach(async () => {
  await hub[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true });
});

async function filesBelow(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const read = files.map(async (file) => [file.slice(folder.length + 1), await readFile(file)] as const);
  return new Map([...(await Promise.all(read)), [".gitattributes", Buffer.from("not wanted")]]);
}

test("a model comes over redirects, is checked, and embeds", async () => {
  const seen: PullProgress[] = [];
  const model = await pullModel(REPO, { env, onProgress: (progress) => seen.push(progress) });
  expect(model.card).toMatchObject({ name: "tiny-encoder", dimensions: 8, precision: "fp32", maxTokens: 64 });
  expect(Object.keys(model.manifest?.files ?? {})).toEqual([
    "config.json",
    MODEL,
    "tokenizer.json",
    "tokenizer_config.json",
  ]);
  expect(seen.at(-1)?.bytes).toBe(seen.at(-1)?.total);
  // The token is for the hub alone.
  expect(hub.asked.filter((line) => line.endsWith("SECRET"))).toEqual([]);
  const embedder = await createLocalEmbedder("local:tiny-encoder", { env, runtime: "web" });
  expect(await embedder.embedQuery("the cat")).toHaveLength(8);
  await embedder.close();
});

test("a cut connection is taken up where it broke off", async () => {
  hub.faults.cutOnce = { path: MODEL, after: 1000 };
  await pullModel(REPO, { env });
  expect(hub.asked.filter((line) => line.startsWith(MODEL))).toEqual([
    `${MODEL} all`,
    `${MODEL} bytes=1000-`,
  ]);
});

test("a stopped pull shows no model, and the next one goes on with it", async () => {
  const controller = new AbortController();
  const onProgress = ({ file, bytes }: PullProgress) => {
    if (file === MODEL && bytes > 0) controller.abort();
  };
  hub.faults.cutOnce = { path: MODEL, after: 1000 };
  await expect(pullModel(REPO, { env, signal: controller.signal, onProgress })).rejects.toMatchObject({
    code: "aborted",
  });
  expect(await installedModels(env)).toEqual([]);
  await pullModel(REPO, { env });
  expect(await installedModels(env)).toHaveLength(1);
});

test("a server without ranges sends the whole file again", async () => {
  Object.assign(hub.faults, { cutOnce: { path: MODEL, after: 1000 }, noRanges: true });
  await pullModel(REPO, { env });
  expect(await installedModels(env)).toHaveLength(1);
});

test.each([MODEL, "tokenizer.json"])(
  "other content of %s than the hub promises is thrown away",
  async (path) => {
    hub.faults.wrong = path;
    await expect(pullModel(REPO, { env })).rejects.toMatchObject({
      code: "unreadable",
      message: expect.stringContaining("its hash is not"),
    });
    expect(await installedModels(env)).toEqual([]);
    for (const left of [path, `${path}.part`])
      expect(existsSync(join(root, "models", ".tiny-encoder.partial", left))).toBe(false);
    hub.faults.wrong = undefined;
    await pullModel(REPO, { env });
    expect(await installedModels(env)).toHaveLength(1);
  },
);

test("an older part of another version does not spoil the new one", async () => {
  hub.faults.cutOnce = { path: MODEL, after: 1000 };
  hub.faults.wrong = MODEL;
  await expect(pullModel(REPO, { env })).rejects.toMatchObject({ code: "unreadable" });
  hub.faults.wrong = undefined;
  await pullModel(REPO, { env });
  expect(await installedModels(env)).toHaveLength(1);
});

test("what is not there, is no model, or cannot be reached says so", async () => {
  await expect(pullModel("someone/else", { env })).rejects.toMatchObject({ code: "not-found" });
  await expect(pullModel("nonsense", { env })).rejects.toMatchObject({ code: "unknown-model" });
  hub.faults.down = true;
  await expect(pullModel(REPO, { env })).rejects.toMatchObject({ code: "model-failed" });
});

test("the proxy that the environment names is used", async () => {
  const through: string[] = [];
  const proxy = createServer((incoming, outgoing) => {
    through.push(incoming.url ?? "");
    const { port, pathname, search } = new URL(incoming.url ?? "");
    const forward = request({ port, path: pathname + search, headers: incoming.headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(forward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  await pullModel(REPO, { env: { ...env, HTTP_PROXY: address, http_proxy: address } });
  expect(through.some((url) => url.includes(MODEL))).toBe(true);
  proxy.closeAllConnections();
  proxy.close();
});

test("a folder is copied, and one without a tokenizer is refused", async () => {
  const source = join(root, "source");
  const model = await pullModel(source, { env });
  expect(model.card).toMatchObject({ name: "source", dimensions: 8 });
  await rm(join(source, "tokenizer.json"));
  await expect(pullModel(source, { env })).rejects.toThrow("tokenizer.json");
  expect(await installedModels(env)).toHaveLength(1);
});

test("what konteks wrote of a folder goes with its copy: card, licence, and what the files must be", async () => {
  const first = await pullModel(join(root, "source"), { env });
  const manifest = join(first.folder, MANIFEST);
  const written = JSON.parse(await readFile(manifest, "utf8"));
  await writeFile(manifest, JSON.stringify({ ...written, licence: "MIT" }));
  const elsewhere = { KONTEKS_MODELS: join(root, "elsewhere") };
  const copy = await pullModel(first.folder, { env: elsewhere });
  expect(copy.manifest).toMatchObject({ licence: "MIT", card: first.card, files: first.manifest?.files });
  await appendFile(join(first.folder, "tokenizer.json"), " ");
  await rm(copy.folder, { recursive: true });
  await expect(pullModel(first.folder, { env: elsewhere })).rejects.toThrow(
    `is not what its ${MANIFEST} says`,
  );
  expect(await installedModels(elsewhere)).toEqual([]);
});

test.each([".zip", ".tar", ".tar.gz", ".tgz"])(
  "a %s is unpacked, whether the model stands below a folder or not, and nothing else of it",
  async (ending) => {
    const files = Object.fromEntries(await filesBelow(join(root, "source")));
    const below = Object.entries(files).map(([path, content]) => [`some folder/${path}`, content] as const);
    for (const [name, entries] of [
      ["flat", files],
      ["below", Object.fromEntries(below)],
    ] as const) {
      const archive = join(root, name + ending);
      await writeFile(
        archive,
        ending === ".zip" ? makeZip(entries) : await makeTar(entries, ending !== ".tar"),
      );
      const model = await pullModel(archive, { env });
      expect(model.card).toMatchObject({ name, dimensions: 8, modelFile: MODEL });
      expect(await readFile(join(model.folder, MODEL))).toEqual(files[MODEL]);
      expect(Object.keys(model.manifest?.files ?? {})).not.toContain(".gitattributes");
    }
  },
);

test.each([".zip", ".tar.gz"])("a %s that is none, or is cut off, leaves nothing", async (ending) => {
  const files = Object.fromEntries(await filesBelow(join(root, "source")));
  const whole = ending === ".zip" ? makeZip(files) : await makeTar(files, true);
  for (const content of ["not an archive", whole.subarray(0, whole.length / 2)]) {
    const archive = join(root, `broken${ending}`);
    await writeFile(archive, content);
    await expect(pullModel(archive, { env })).rejects.toMatchObject({
      code: "unreadable",
      message: expect.stringContaining(archive),
    });
  }
  expect(await installedModels(env)).toEqual([]);
  expect(await readdir(join(root, "models"))).toEqual([]);
});

/** As `tar -c .` writes it: with folders, and "./" before each path. */
async function makeTar(files: Readonly<Record<string, Buffer>>, zipped: boolean): Promise<Buffer> {
  const folder = { header: { name: "./", type: "directory", size: 0 } } as const;
  const entries = Object.entries(files).map(([name, body]) => ({
    header: { name: `./${name}`, size: body.length },
    body: new Uint8Array(body),
  }));
  const tar = await packTar([folder, ...entries]);
  return zipped ? gzipSync(tar) : Buffer.from(tar);
}
