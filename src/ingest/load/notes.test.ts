import { expect, it } from "vitest";
import { loadOne } from "./load-one.fixture.ts";

it("takes links, tags and aliases of notes for metadata, and leaves the text", async () => {
  const text =
    "---\naliases: [Bob, Robert]\ntags: [person]\n---\n# Bob\n\nMet at [[Projects/Alpha|the project]] and ![[map.png]], see [[Alpha#Plan]]. #work/urgent #person\n\n```\n[[not]] #this\n```\n";
  const document = await loadOne("bob.md", text);
  expect(document.text).toBe(text);
  expect(document.metadata).toEqual({
    aliases: ["Bob", "Robert"],
    tags: ["person", "work/urgent"],
    links: ["Projects/Alpha", "map.png", "Alpha"],
  });
});

it("takes no issue number, colour or channel of other Markdown for a tag", async () => {
  expect((await loadOne("a.md", "# A\n\nSee #12, ask in #general about #fff.\n")).metadata).toEqual({});
});

it("reads Markdown that is too long for a tree as plain text, with a warning", async () => {
  const { outline, warnings } = await loadOne("a.md", "# Head\n\nwords\n\n".repeat(700_000), {
    apart: false,
  });
  expect(outline).toEqual([]);
  expect(warnings?.join()).toContain("8 MiB");
});
