import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KonteksError } from "../spec/index.ts";
import type { Clock } from "./clock.ts";
import { createRetrier, retryAfterMs } from "./retry.ts";

/** Time that passes only by sleeping; sleepers wake in the order of their time. */
function fakeClock(): Clock & { readonly slept: number[] } {
  let time = 0;
  const slept: number[] = [];
  return {
    slept,
    now: () => time,
    random: () => 0,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      slept.push(ms);
      time += ms;
    },
  };
}

function failure(status: number | undefined, headers: Record<string, string> = {}, data?: unknown): Error {
  return Object.assign(new Error("no"), {
    statusCode: status,
    responseHeaders: headers,
    isRetryable: status === undefined,
    data,
  });
}

/** Fails with the given errors in turn, then succeeds. */
function failing(...errors: Error[]) {
  let calls = 0;
  const call = async () => {
    const error = errors[calls];
    calls += 1;
    if (error) throw error;
    return "done";
  };
  return { call, calls: () => calls };
}

describe("createRetrier", () => {
  test.each([408, 409, 429, 500, 502, 503, 504, 529, undefined])("waits out %s", async (status) => {
    const clock = fakeClock();
    const { call, calls } = failing(failure(status), failure(status));
    expect(await createRetrier({ clock }).run(call)).toBe("done");
    expect(calls()).toBe(3);
    expect(clock.slept).toEqual([500, 1_000]);
  });

  test("a crowd uses up none of the tries for a server's fault", async () => {
    const crowd = Array.from({ length: 9 }, () => failure(429));
    const { call } = failing(...crowd, failure(500), failure(500), failure(500));
    expect(await createRetrier({ clock: fakeClock() }).run(call)).toBe("done");
    const { call: broken, calls } = failing(failure(429), ...Array.from({ length: 4 }, () => failure(500)));
    await expect(createRetrier({ clock: fakeClock() }).run(broken)).rejects.toMatchObject({
      statusCode: 500,
    });
    expect(calls()).toBe(5);
  });

  test.each([400, 401, 403, 404, 413, 422])("gives up on %s at once", async (status) => {
    const { call, calls } = failing(failure(status));
    await expect(createRetrier({ clock: fakeClock() }).run(call)).rejects.toMatchObject({
      statusCode: status,
    });
    expect(calls()).toBe(1);
  });

  test("gives up at once when the quota is used up, on errors of konteks and on mistakes in code", async () => {
    for (const error of [
      failure(429, {}, { error: { code: "insufficient_quota" } }),
      new KonteksError("embedding-failed", "no"),
      new TypeError("x is not a function"),
    ]) {
      const { call, calls } = failing(error);
      await expect(createRetrier({ clock: fakeClock() }).run(call)).rejects.toBe(error);
      expect(calls()).toBe(1);
    }
  });

  test("waits as long as the provider asks, but not beyond the limit", async () => {
    const clock = fakeClock();
    const retrier = createRetrier({ clock });
    await retrier.run(failing(failure(429, { "Retry-After": "90" })).call);
    expect(clock.slept).toEqual([90_000]);
    const long = failing(failure(429, { "retry-after": "86400" }));
    await expect(retrier.run(long.call)).rejects.toMatchObject({ statusCode: 429 });
    expect(long.calls()).toBe(1);
  });

  test("a rate limit that one call meets holds back the others", async () => {
    const clock = fakeClock();
    const retrier = createRetrier({ clock });
    const times: number[] = [];
    const limited = failing(failure(429, { "retry-after": "20" }));
    const first = retrier.run(limited.call);
    await new Promise((resolve) => setImmediate(resolve));
    await retrier.run(async () => times.push(clock.now()));
    await first;
    expect(times[0]).toBeGreaterThanOrEqual(20_000);
  });

  test.each([
    [429, 10],
    [529, 10],
    [500, 4],
    [undefined, 4],
  ])("gives up on %s after %i attempts, with the last error", async (status, attempts) => {
    const errors = Array.from({ length: 12 }, () => failure(status));
    const { call, calls } = failing(...errors);
    await expect(createRetrier({ clock: fakeClock() }).run(call)).rejects.toBe(errors[attempts - 1]);
    expect(calls()).toBe(attempts);
  });

  test("an abort ends the wait at once", async () => {
    const controller = new AbortController();
    const { call, calls } = failing(failure(429, { "retry-after": "300" }));
    const run = createRetrier().run(call, controller.signal);
    setTimeout(() => controller.abort(new Error("enough")), 20);
    await expect(run).rejects.toThrow("enough");
    expect(calls()).toBe(1);
  });

  test("no wait of our own choice is longer than the limit or shorter than half its step", () => {
    return fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 12 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        async (n, random) => {
          const clock = { ...fakeClock(), random: () => random };
          await createRetrier({ clock, attemptsOnFault: 20 }).run(
            failing(...Array.from({ length: n }, () => failure(500))).call,
          );
          clock.slept.forEach((wait, index) => {
            const step = Math.min(60_000, 1_000 * 2 ** index);
            expect(wait).toBeGreaterThanOrEqual(step / 2);
            expect(wait).toBeLessThanOrEqual(step);
          });
        },
      ),
    );
  });
});

test("retry-after is read in seconds, milliseconds and as a date", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  expect(retryAfterMs({ "retry-after": "3" }, now)).toBe(3_000);
  expect(retryAfterMs({ "retry-after-ms": "250", "retry-after": "1" }, now)).toBe(250);
  expect(retryAfterMs({ "retry-after": "Thu, 01 Jan 2026 00:00:10 GMT" }, now)).toBe(10_000);
  expect(retryAfterMs({ "retry-after": "Wed, 31 Dec 2025 00:00:10 GMT" }, now)).toBe(0);
  expect(retryAfterMs({ "retry-after": "soon" }, now)).toBeUndefined();
  expect(retryAfterMs({}, now)).toBeUndefined();
});
