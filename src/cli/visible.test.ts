import fc from "fast-check";
import { expect, test } from "vitest";
import { createIo } from "./io.ts";
import { jsonText } from "./json-text.ts";

/** What a terminal of the given kind is sent when this is printed. */
function printed(text: string, isTTY: boolean, env: Record<string, string> = {}): string {
  let out = "";
  const stdout = { isTTY, write: (some: string) => (out += some) };
  createIo({ stdout, stderr: stdout, env, cwd: "/" }).print(text);
  return out;
}

test("a document cannot clear the screen, hide words, name the window or write to the clipboard", () => {
  const hostile = "a\x1b[2J\x1b[8mhidden\x1b]0;title\x07 \x1b]52;c;ZXZpbA==\x07\x9b31m\b\x7f b";
  const shown = "a␛[2J␛[8mhidden␛]0;title␇ ␛]52;c;ZXZpbA==␇\uFFFD31m␈␡ b\n";
  expect(printed(hostile, true)).toBe(shown);
  expect(printed(hostile, false)).toBe(shown);
});

test("own colours stay where there are any, and no sign of control goes by otherwise", () => {
  expect(printed("\x1b[1m\x1b[31mred\x1b[39m\x1b[22m", true)).toBe("\x1b[1m\x1b[31mred\x1b[39m\x1b[22m\n");
  expect(printed("\x1b[31mred", true, { NO_COLOR: "1" })).toBe("␛[31mred\n");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
      expect(printed(text, false).slice(0, -1)).not.toMatch(/[\0-\b\v-\x1f\x7f-\x9f]/);
    }),
  );
});

test("an old line end cannot put other words over a line", () => {
  expect(printed("refused\rgranted\r\nend", true)).toBe("refused\ngranted\nend\n");
});

test("JSON means the same and is sent as it is", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const json = jsonText({ text });
      expect(JSON.parse(json)).toEqual({ text });
      expect(printed(json, true)).toBe(`${json}\n`);
    }),
  );
});
