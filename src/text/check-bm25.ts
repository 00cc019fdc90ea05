import { type Bm25Options, KonteksError } from "../spec/index.ts";
import { didYouMean } from "../util/nearest.ts";
import { DEFAULT_BM25 } from "./bm25.ts";

/**
 * A negative weight takes text out of the results, and a field that is misspelt changes nothing: neither is told by what comes of it.
 *
 * @throws KonteksError `wrong-option`, which names the setting.
 */
export function checkBm25({ k1, documentWeight, fields = {} }: Bm25Options): void {
  atLeastZero("bm25.k1", k1);
  atLeastZero("bm25.documentWeight", documentWeight);
  for (const [name, { weight, b }] of Object.entries(fields)) {
    if (!Object.hasOwn(DEFAULT_BM25.fields, name)) throw unknownField(name);
    atLeastZero(`bm25.fields.${name}.weight`, weight);
    if (b !== undefined && !(b >= 0 && b <= 1))
      throw wrong(`bm25.fields.${name}.b must be a number from 0 to 1, not ${b}.`);
  }
}

function atLeastZero(name: string, value: number | undefined): void {
  if (value !== undefined && !(Number.isFinite(value) && value >= 0))
    throw wrong(`${name} must be a number from 0, not ${value}.`);
}

function unknownField(name: string): KonteksError {
  const known = Object.keys(DEFAULT_BM25.fields);
  return wrong(
    `There is no field "${name}" in an index; there are ${known.join(", ")}.${didYouMean(name, known)}`,
  );
}

function wrong(message: string): KonteksError {
  return new KonteksError("wrong-option", message);
}
