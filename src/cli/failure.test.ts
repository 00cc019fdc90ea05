import { expect, it } from "vitest";
import { KonteksError } from "../spec/index.ts";
import { failure } from "./failure.ts";

const plain = { json: false, debug: false };

it("tells an error in one line, without a stack", () => {
  const error = new KonteksError("no-key", "There is no key. Set ANTHROPIC_API_KEY.");
  expect(failure(error, plain)).toEqual({
    text: "konteks: There is no key. Set ANTHROPIC_API_KEY.",
    exitCode: 1,
  });
  expect(failure(new KonteksError("wrong-option", "x"), plain).exitCode).toBe(2);
});

it("tells an error nobody expected with the way to see more", () => {
  const { text, exitCode } = failure(new TypeError("x is not\na function."), plain);
  expect(text).toBe(
    "konteks: something went wrong that should not: x is not a function. Run again with --debug to see where.",
  );
  expect(exitCode).toBe(1);
});

it("shows the stack and the causes with --debug", () => {
  const error = new KonteksError("unreadable", "Cannot read a.", { cause: new Error("EACCES") });
  const { text } = failure(error, { json: false, debug: true });
  expect(text).toContain("failure.test.ts");
  expect(text).toContain("Caused by: Error: EACCES");
});

it("keeps code and facts for programs", () => {
  const error = new KonteksError("not-found", "No.", { facts: { path: "/a" } });
  expect(JSON.parse(failure(error, { json: true, debug: false }).text)).toEqual({
    error: { code: "not-found", message: "No.", facts: { path: "/a" } },
  });
});
