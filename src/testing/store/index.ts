export type { MakeStore, StoreCase } from "./case.ts";
export { storeConformance } from "./conformance.ts";
