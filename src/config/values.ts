import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { KonteksError, type MetadataValue } from "../spec/index.ts";
import { didYouMean } from "../util/nearest.ts";

/** Turns the text of a flag or variable into a value, or throws "wrong-option"; `name` is what the user wrote ("--k"). */
export type Parse = (text: string, name: string) => unknown;

export function wholeNumber(from: number): Parse {
  return (text, name) => {
    const value = Number(text);
    if (/^\d+$/.test(text.trim()) && Number.isSafeInteger(value) && value >= from) return value;
    throw wrong(`${name} must be a whole number from ${from}, not '${text}'.`, name, text);
  };
}

export const positiveNumber: Parse = (text, name) => {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value) && value >= 0) return value;
  throw wrong(`${name} must be a number from 0, not '${text}'.`, name, text);
};

export const anyNumber: Parse = (text, name) => {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value)) return value;
  throw wrong(`${name} must be a number, not '${text}'.`, name, text);
};

export const share: Parse = (text, name) => {
  const value = Number(text);
  if (text.trim() !== "" && value >= 0 && value <= 1) return value;
  throw wrong(`${name} must be a number from 0 to 1, not '${text}'.`, name, text);
};

export function choice(choices: readonly string[]): Parse {
  return (text, name) => {
    if (choices.includes(text)) return text;
    const list = choices.join(", ");
    throw wrong(`${name} must be one of ${list}, not '${text}'.${didYouMean(text, choices)}`, name, text);
  };
}

export const yesOrNo: Parse = (text, name) => {
  if (["true", "1", "yes"].includes(text)) return true;
  if (["false", "0", "no"].includes(text)) return false;
  throw wrong(`${name} must be true or false, not '${text}'.`, name, text);
};

export const words: Parse = (text, name) => {
  if (text.trim() !== "") return text;
  throw wrong(`${name} must not be empty.`, name, text);
};

/** "true", "false" and the like, or a name. */
export const yesNoOrWords: Parse = (text, name) => {
  if (["true", "1", "yes"].includes(text)) return true;
  return ["false", "0", "no", "none"].includes(text) ? false : words(text, name);
};

/** `year=2025` → `["year", 2025]`: true, false and plain numbers get their type, so that filters can compare them. */
export function metadataEntry(text: string, name: string): [key: string, value: MetadataValue] {
  const sign = text.indexOf("=");
  if (sign < 1) throw wrong(`${name} must be key=value, not '${text}'.`, name, text);
  return [text.slice(0, sign).trim(), typed(text.slice(sign + 1))];
}

function typed(text: string): MetadataValue {
  if (text === "true" || text === "false") return text === "true";
  // "007" and "1e3" are names that look like numbers; only what prints the same is one.
  return text !== "" && String(Number(text)) === text && Number.isFinite(Number(text)) ? Number(text) : text;
}

/** A text that may stand in a file: its name, or the text itself. */
export const textOrFile: Parse = (text, name) => {
  const read = fileOrText(text);
  return read === text ? words(text, name) : read;
};

/** What is in the file of that name, if there is one, else the text itself. */
export function fileOrText(text: string, folder = "."): string {
  const file = resolve(folder, text);
  return looksLikeFile(text) && isFile(file) ? readFileSync(file, "utf8") : text;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function looksLikeFile(text: string): boolean {
  return text.trim() !== "" && !text.includes("\n") && text.length < 1_000;
}

/** A file of JSON that holds an object. */
export const jsonFile: Parse = (text, name) => {
  try {
    const value: unknown = JSON.parse(readFileSync(resolve(text), "utf8"));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch (cause) {
    throw wrong(`${name} names a file that cannot be read as JSON, '${text}': ${String(cause)}.`, name, text);
  }
  throw wrong(`${name} names a file that holds no JSON object, '${text}'.`, name, text);
};

/** `text=body+notes,title=headline` as fields of records; several names are joined by "+". */
export const recordFields: Parse = (text, name) => {
  const fields: Record<string, unknown> = {};
  for (const part of text.split(",")) {
    const [key = "", names = ""] = part.split("=").map((side) => side.trim());
    const list = names.split("+").filter((each) => each !== "");
    if (!RECORD_KEYS.includes(key) || list.length === 0) {
      const keys = RECORD_KEYS.join(", ");
      throw wrong(
        `${name} must be like text=body,title=headline with the keys ${keys}, not '${text}'.`,
        name,
        text,
      );
    }
    fields[key] = key === "metadata" || list.length > 1 ? list : list[0];
  }
  if ("text" in fields) return fields;
  throw wrong(`${name} must say which field holds the text: text=body, not '${text}'.`, name, text);
};

const RECORD_KEYS = ["text", "id", "title", "uri", "metadata"];

function wrong(message: string, option: string, value: string): KonteksError {
  return new KonteksError("wrong-option", message, { facts: { option, value } });
}
