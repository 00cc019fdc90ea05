export * from "./provider/index.ts";
export * from "./store/index.ts";
