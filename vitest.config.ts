import { defineConfig } from "vitest/config";

/**
 * Two projects: `unit` needs nothing but the checkout; `data` needs the evaluation data beside it
 * (`KONTEKS_DATA`, default `../shared/datasets`) and fails without it.
 */
export default defineConfig({
  test: {
    testTimeout: 30_000,
    projects: [
      {
        test: {
          name: "unit",
          include: ["{src,test,scripts,bench}/**/*.test.ts"],
          exclude: ["**/*.data.test.ts"],
          testTimeout: 30_000,
        },
      },
      { test: { name: "data", include: ["{src,test,bench}/**/*.data.test.ts"], testTimeout: 300_000 } },
    ],
  },
});
