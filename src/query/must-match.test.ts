import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import type { Store, TextQuery } from "../spec/index.ts";
import { openSqliteStore } from "../stores/sqlite/index.ts";
import { buildDocument } from "../testing/store/fixtures.ts";
import { analyzeField, analyzeQuery } from "../text/analyze.ts";
import { exactTerms, nameTerm } from "../text/exact-terms.ts";
import { mustMatch } from "./must-match.ts";
import type { SearchLists } from "./search.ts";

const folder = mkdtempSync(join(tmpdir(), "konteks-must-"));
let files = 0;

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A store with the chunks as the analyzer sees them, and the phrases that it is asked for. */
async function storeOf(chunks: readonly string[]) {
  const store = await openSqliteStore({ path: join(folder, `${files++}.sqlite`) });
  const { record, chunks: built } = buildDocument({ id: "d", chunks });
  const fields = (text: string) => ({ body: analyzeField(text) });
  await store.replaceDocument(
    record,
    built.map((one) => ({ ...one, fields: fields(one.chunk.text) })),
  );
  const asked: TextQuery["phrases"][] = [];
  const watched: Store = {
    ...store,
    searchText: (query) => {
      asked.push(query.phrases);
      return store.searchText(query);
    },
  };
  return { store: watched, asked };
}

function listsOf(text: string): SearchLists {
  return { query: analyzeQuery(text), statistics: { unknown: 0, chunks: 1 } } as unknown as SearchLists;
}

const word = fc.constantFrom(
  "getUserById",
  "get_user_by_id",
  "useEffect",
  "useState",
  "TS-999",
  "the",
  "state",
  "user",
  "effect",
);

test("a name is found where reading every text finds it", { timeout: 60_000 }, async () => {
  const texts = fc.array(
    fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(", the ")),
    {
      minLength: 1,
      maxLength: 12,
    },
  );
  await fc.assert(
    fc.asyncProperty(
      texts,
      fc.constantFrom("getUserById", "useEffect", "user_id", "TS-999"),
      async (chunks, name) => {
        const { store } = await storeOf(chunks);
        const found = await mustMatch(store, listsOf(name), { which: "identifiers", limit: 5 });
        const { terms } = analyzeQuery(name);
        const read = await store.searchText({ terms, limit: 5, phrases: [exactTerms(name)] });
        expect(found.items.map(({ chunkId }) => chunkId)).toEqual(read.map(({ chunkId }) => chunkId));
        await store.close();
      },
    ),
    { numRuns: 40 },
  );
});

test("texts are read only where no chunk has the name as one word", async () => {
  const { store, asked } = await storeOf(["call useEffect here", "use effect twice", "get user by id"]);
  const search = (name: string) => mustMatch(store, listsOf(name), { which: "identifiers", limit: 5 });
  expect((await search("useEffect")).items.map(({ chunkId }) => chunkId)).toEqual(["d#0"]);
  expect(asked).toEqual([[["=useeffect"]]]);
  expect((await search("getUserById")).items.map(({ chunkId }) => chunkId)).toEqual(["d#2"]);
  expect(asked.at(-1)).toEqual([["get", "user", "by", "id"]]);
  await store.close();
});

test("a path is sought inside of longer ones", () => {
  expect(
    ["useEffect", "get_user_by_id", "TS-999", "fs::read", "react.useEffect", "word"].map(nameTerm),
  ).toEqual(["=useeffect", "=getuserbyid", "=ts999", undefined, undefined, undefined]);
});

test("where no chunk holds all quoted phrases, those that hold the most", async () => {
  const texts = ["red apple tree", "red apple and blue sky", "blue sky", "apple red, sky blue", "green leaf"];
  const { store } = await storeOf(texts);
  const found = async (query: string) => {
    const { items } = await mustMatch(store, listsOf(query), { which: "identifiers", limit: 10 });
    return items.map(({ chunkId }) => chunkId).sort();
  };
  expect(await found('"red apple" "blue sky"')).toEqual(["d#1"]);
  expect(await found('"red apple" "blue sky" "green grass"')).toEqual(["d#1"]);
  expect(await found('"red apple" "green grass"')).toEqual(["d#0", "d#1"]);
  expect(await found('"blue sky" getUserById')).toEqual(["d#1", "d#2"]);
  expect(await found('"green grass" "red leaf"')).toEqual([]);
  expect(await found("getUserById setUserById")).toEqual([]);
  await store.close();
});
