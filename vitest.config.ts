import { defineConfig } from "vitest/config";

/**
 * Three projects: `unit` needs nothing but the checkout; `data` needs the evaluation data beside it
 * (`KONTEKS_DATA`, default `../shared/datasets`) and `model` a real embedding model (`npm run test:model` builds it);
 * both fail without.
 */
export default defineConfig({
  test: {
    testTimeout: 30_000,
    projects: [
      {
        test: {
          name: "unit",
          include: ["{src,test,scripts,bench}/**/*.test.ts"],
          exclude: ["**/*.{data,model}.test.ts"],
          testTimeout: 30_000,
        },
      },
      { test: { name: "data", include: ["{src,test,bench}/**/*.data.test.ts"], testTimeout: 300_000 } },
      { test: { name: "model", include: ["src/**/*.model.test.ts"], testTimeout: 300_000 } },
    ],
  },
});
