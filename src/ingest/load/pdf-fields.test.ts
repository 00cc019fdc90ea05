import { expect, it } from "vitest";
import { readFields } from "./pdf-fields.ts";

const pageOf = (annotations: unknown) =>
  ({ getAnnotations: async () => annotations }) as unknown as Parameters<typeof readFields>[0];
const rect = [100, 700, 300, 720];

it("gives what was filled in at its place, boxes as they are ticked, and comments apart", async () => {
  const { items, comments } = await readFields(
    pageOf([
      { subtype: "Widget", fieldType: "Tx", fieldValue: "Ada", rect },
      { subtype: "Widget", fieldType: "Tx", fieldValue: "secret", password: true, rect },
      { subtype: "Widget", fieldType: "Tx", fieldValue: "hidden", hidden: true, rect },
      { subtype: "Widget", fieldType: "Btn", checkBox: true, fieldValue: "Yes", rect },
      { subtype: "Widget", fieldType: "Btn", checkBox: true, fieldValue: "Off", rect },
      { subtype: "Widget", fieldType: "Btn", radioButton: true, fieldValue: "a", buttonValue: "a", rect },
      { subtype: "Widget", fieldType: "Btn", fieldValue: "Push me", rect },
      { subtype: "Widget", fieldType: "Ch", fieldValue: ["red", "blue"], rect },
      { subtype: "FreeText", contentsObj: { str: "two\nlines" }, rect },
      { subtype: "Text", contentsObj: { str: "Is this right?" }, titleObj: { str: "Lee" }, rect },
      { subtype: "Link", contentsObj: { str: "a link" }, rect },
    ]),
  );
  expect(items.map(({ str }) => str)).toEqual(["Ada", "☑", "☐", "☑", "red, blue", "two", "lines"]);
  for (const { transform } of items) {
    expect(transform[5]).toBeGreaterThan(690);
    expect(transform[5]).toBeLessThan(720);
  }
  expect(comments).toEqual(["Comment (Lee): Is this right?"]);
});

it("goes on without them where they are damaged", async () => {
  const page = { getAnnotations: () => Promise.reject(new Error("bad")) } as unknown as Parameters<
    typeof readFields
  >[0];
  expect(await readFields(page)).toEqual({ items: [], comments: [] });
});
