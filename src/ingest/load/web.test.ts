import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { loadFile } from "./index.ts";
import { fetchFile } from "./web.ts";
import { isPublicAddress } from "./web-address.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let stop: (() => void) | undefined;
afterEach(() => stop?.());

/** A site on this machine, which is reachable only because the test says so. */
async function site(pages: Readonly<Record<string, Answer>>) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    const answer = pages[request.url ?? ""];
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  stop = () => server.closeAllConnections() ?? server.close();
  const { port } = server.address() as AddressInfo;
  return { url: (path: string) => `http://localhost:${port}${path}`, asked, port };
}

const open = { isPublic: () => true };
const page =
  (body: string | Buffer, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    void response.writeHead(200, { "content-type": "text/html", ...headers }).end(body);

describe("fetchFile", () => {
  it("reads a page, follows redirects, unpacks, and fetches nothing that the page mentions", async () => {
    const { url, asked } = await site({
      "/old": (_, response) => void response.writeHead(302, { location: "/new.php" }).end(),
      "/new.php": page(gzipSync("<h1>Title</h1><p>Words.<img src='/x.png'><script src='/x.js'></script>"), {
        "content-encoding": "gzip",
      }),
    });
    const file = await fetchFile(url("/old#part"), open);
    expect(file.id).toBe(url("/old"));
    const { document } = await loadFile(file);
    expect(document).toMatchObject({ format: "html", title: "Title", uri: url("/new.php") });
    expect(document.text).toBe("Title\n\nWords.");
    expect(asked).toEqual(["/robots.txt", "/old", "/robots.txt", "/new.php"]);
  });

  it("believes the server's encoding", async () => {
    const body = Buffer.from("<p>Grüße", "latin1");
    const { url } = await site({ "/": page(body, { "content-type": "text/html; charset=iso-8859-1" }) });
    const { document } = await loadFile(await fetchFile(url("/"), open));
    expect(document.text).toBe("Grüße");
    expect(document.warnings).toBeUndefined();
  });

  it("refuses addresses that are not on the open internet, also after a redirect", async () => {
    const { url, port } = await site({
      "/": (_, response) => void response.writeHead(302, { location: `http://127.0.0.1:${port}/in` }).end(),
      "/in": page("secret"),
    });
    await expect(fetchFile(url("/"))).rejects.toThrow(/is at 127\.0\.0\.1, which is not on/);
    await expect(fetchFile("http://127.0.0.1/")).rejects.toThrow(
      /: 127\.0\.0\.1 is not on the open internet/,
    );
    const onlyByName = { isPublic: ({ address }: { address: string }) => ![`127.0.0.1`].includes(address) };
    await expect(fetchFile(`http://127.0.0.1:${port}/in`, onlyByName)).rejects.toThrow(/open internet/);
    let asked = 0;
    const firstSite = { isPublic: () => ++asked <= 3 };
    await expect(fetchFile(url("/"), firstSite)).rejects.toThrow(/open internet/);
  });

  it("keeps to robots.txt", async () => {
    const { url, asked } = await site({
      "/robots.txt": page("User-agent: *\nDisallow: /private", { "content-type": "text/plain" }),
      "/private/a": page("x"),
      "/a": page("<p>free"),
    });
    await expect(fetchFile(url("/private/a"), open)).rejects.toThrow(/robots\.txt does not allow/);
    expect(asked).not.toContain("/private/a");
    expect((await fetchFile(url("/a"), open)).size).toBeGreaterThan(0);
  });

  it("ends where limits are passed, and says what the server answers", async () => {
    const { url } = await site({
      "/long": page("x".repeat(2000)),
      "/bomb": page(gzipSync(Buffer.alloc(5_000_000)), { "content-encoding": "gzip" }),
      "/slow": (_, response) => void response.writeHead(200).write("x"),
      "/loop": (_, response) => void response.writeHead(302, { location: "/loop" }).end(),
      "/file": (_, response) => void response.writeHead(302, { location: "file:///etc/passwd" }).end(),
    });
    await expect(fetchFile(url("/long"), { ...open, maxBytes: 1000 })).rejects.toThrow(/more than/);
    await expect(fetchFile(url("/bomb"), { ...open, maxBytes: 100_000 })).rejects.toThrow(/not fetched/);
    await expect(fetchFile(url("/slow"), { ...open, timeLimitMs: 200 })).rejects.toThrow(/too long/);
    await expect(fetchFile(url("/loop"), open)).rejects.toThrow(/redirects more than 5/);
    await expect(fetchFile(url("/file"), open)).rejects.toThrow(/http:/);
    await expect(fetchFile(url("/none"), open)).rejects.toThrow(/answers 404/);
    await expect(
      fetchFile(url("/slow"), { ...open, signal: AbortSignal.timeout(100) }),
    ).rejects.toMatchObject({
      code: "aborted",
    });
  });
});

describe("isPublicAddress", () => {
  it.each([
    "127.0.0.1",
    "10.1.2.3",
    "172.31.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fe80::1",
    "fd00::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "2001:db8::1",
    "ff02::1",
  ])("%s is not", (address) => {
    expect(isPublicAddress({ address, family: address.includes(":") ? 6 : 4 })).toBe(false);
  });

  it.each(["8.8.8.8", "172.32.0.1", "2606:4700::1111", "2a00:1450:4001::1"])("%s is", (address) => {
    expect(isPublicAddress({ address, family: address.includes(":") ? 6 : 4 })).toBe(true);
  });
});
