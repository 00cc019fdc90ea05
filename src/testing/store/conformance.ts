import type { StoreCase } from "./case.ts";
import { CHANGE_CASES } from "./change-cases.ts";
import { DOCUMENT_CASES } from "./document-cases.ts";
import { FILTER_CASES } from "./filter-cases.ts";
import { LATE_CASES } from "./late-cases.ts";
import { SEARCH_CASES } from "./search-cases.ts";

/**
 * What every store must do, as named cases for any test runner:
 *
 *     for (const { name, run } of storeConformance()) test(name, () => run(() => openMyStore()));
 *
 * Expected results are the same for all stores, worked out by a slow oracle; cosines may be off by 0.005.
 */
export function storeConformance(): readonly StoreCase[] {
  return [...DOCUMENT_CASES, ...SEARCH_CASES, ...FILTER_CASES, ...CHANGE_CASES, ...LATE_CASES];
}
