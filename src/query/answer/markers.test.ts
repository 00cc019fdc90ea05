import { expect, test } from "vitest";
import { citedSentences } from "./answer-sentences.ts";
import { readMarkers } from "./markers.ts";

test.each([
  ["One [2]. Two [1].", "One [2]. Two [1].", [2, 1], []],
  ["Both [1, 3].", "Both [1, 3].", [1, 3], []],
  ["All [1-3].", "All [1-3].", [1, 2, 3], []],
  ["Both [1][2].", "Both [1][2].", [1, 2], []],
  ["Wide 【2】, and 【3†source】.", "Wide [2], and [3].", [2, 3], []],
  ["Gone [9].", "Gone.", [], [9]],
  ["Part [2, 9].", "Part [2].", [2], [9]],
  ["None [0].", "None.", [], [0]],
  ["Turned [3-1].", "Turned [3-1].", [3, 1], []],
  ["In code `a[9]` stays [1].", "In code `a[9]` stays [1].", [1], []],
  ["```\nx[7]\n```\nas shown [2].", "```\nx[7]\n```\nas shown [2].", [2], []],
  [
    "Set arr[1] = 0, then f(arr[1]) or arr[2].x [3].",
    "Set arr[1] = 0, then f(arr[1]) or arr[2].x [3].",
    [3],
    [],
  ],
  ["It grew[1]. Umsatz stieg[2], später mehr.", "It grew[1]. Umsatz stieg[2], später mehr.", [1, 2], []],
  ["收入增长了3%[1]。", "收入增长了3%[1]。", [1], []],
  ["The year [2023] and a link [1](x).", "The year [2023] and a link [1](x).", [], []],
])("%j", (answer, text, numbers, unknown) => {
  const read = readMarkers(answer, 3);
  expect(read).toMatchObject({ text, numbers, unknown });
  for (const mark of read.marks) expect(read.text.slice(mark.start, mark.end)).toMatch(/^\s*\[.*\]$/);
});

test.each([
  ["It grew [1]. It fell [2].", ["It grew | 1", "It fell | 2"]],
  ["It grew. [1] It fell. [2][3]", ["It grew. | 1", "It fell. | 2,3"]],
  ["It grew [1][2], it is said.\n\n- a [3]\n- b", ["It grew, it is said. | 1,2", "- a | 3", "- b | "]],
  ["增长了。[1]下降了[2]。", ["增长了。 | 1", "下降了。 | 2"]],
  ["```\na = 1. B\n```\nSo it is [1].", ["```\na = 1. B\n``` | ", "So it is | 1"]],
])("marks belong to their sentence: %j", (answer, expected) => {
  const { text, marks } = readMarkers(answer, 3);
  const found = citedSentences(text, marks).map(
    ({ words, numbers }) => `${words.replace(/\.$/, "")} | ${numbers}`,
  );
  expect(found.map((one) => one.replace(/ \.? \|/, " |"))).toEqual(
    expected.map((one) => one.replace(/\. \|/, " |")),
  );
});
