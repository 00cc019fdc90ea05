import { type Filter, KonteksError } from "../spec/index.ts";

/**
 * Reads a filter as people write it: `year >= 2023 and company = "ACME" and not (draft = true or uri ^= "old/")`.
 *
 * Operators: `=`, `!=`, `<`, `<=`, `>`, `>=`, `^=` (begins with), `in (a, b)`; joined by `and`, `or`, `not`, brackets.
 * `and` binds closer than `or`. Values are numbers, true, false, null, or text; text with blanks or signs stands in
 * double or single quotes, where a backslash takes the next character as it is. A field with other signs than letters,
 * digits, `_`, `-` and `.` stands in quotes as well.
 *
 * @throws KonteksError `wrong-option`, which names the place (from 1) and what was expected there.
 */
export function parseWhere(text: string): Filter {
  const cursor = createCursor(text);
  const filter = either(cursor);
  if (cursor.peek().kind !== "end") throw cursor.expected('"and", "or" or the end');
  return filter;
}

interface Token {
  readonly kind: "word" | "text" | "sign" | "end";
  readonly value: string;
  /** Offset in the filter's text. */
  readonly at: number;
}

const TOKEN =
  /\s+|(?<sign><=|>=|!=|\^=|[=<>(),])|"(?<double>(?:\\[\s\S]|[^"\\])*)"|'(?<single>(?:\\[\s\S]|[^'\\])*)'|(?<word>[^\s=<>!^(),"']+)/gy;

function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (!match)
      throw problem(
        text,
        at,
        /["']/.test(text[at] ?? "") ? "a closing quote is missing" : "this sign is not known",
      );
    const { sign, double, single, word } = match.groups ?? {};
    const quoted = double ?? single;
    if (sign !== undefined) tokens.push({ kind: "sign", value: sign, at });
    else if (quoted !== undefined)
      tokens.push({ kind: "text", value: quoted.replace(/\\([\s\S])/g, "$1"), at });
    else if (word !== undefined) tokens.push({ kind: "word", value: word, at });
    at = TOKEN.lastIndex;
  }
  return tokens;
}

/** The tokens and the place that was reached. */
interface Cursor {
  readonly text: string;
  peek(): Token;
  take(): Token;
  /** Takes the next token when it is this word or sign. */
  takeIf(kind: "word" | "sign", value: string): boolean;
  expected(what: string): KonteksError;
}

function createCursor(text: string): Cursor {
  const tokens = tokenize(text);
  const end: Token = { kind: "end", value: "", at: text.length };
  let next = 0;
  const peek = () => tokens[next] ?? end;
  const take = () => tokens[next++] ?? end;
  return {
    text,
    peek,
    take,
    takeIf(kind, value) {
      const token = peek();
      const same = token.kind === kind && token.value.toLowerCase() === value;
      if (same) take();
      return same;
    },
    expected: (what) => problem(text, peek().at, `${what} was expected`),
  };
}

function either(cursor: Cursor): Filter {
  return joined(cursor, "or", both);
}

function both(cursor: Cursor): Filter {
  return joined(cursor, "and", unary);
}

function joined(cursor: Cursor, word: "and" | "or", part: (cursor: Cursor) => Filter): Filter {
  const first = part(cursor);
  const parts = [first];
  while (cursor.takeIf("word", word)) parts.push(part(cursor));
  if (parts.length === 1) return first;
  return word === "and" ? { and: parts } : { or: parts };
}

function unary(cursor: Cursor): Filter {
  if (cursor.takeIf("word", "not")) return { not: unary(cursor) };
  if (!cursor.takeIf("sign", "(")) return comparison(cursor);
  const inner = either(cursor);
  if (!cursor.takeIf("sign", ")")) throw cursor.expected('")"');
  return inner;
}

function comparison(cursor: Cursor): Filter {
  const field = operand(cursor, "a field").value;
  if (cursor.takeIf("word", "in")) return { field, op: "in", values: list(cursor) };
  const sign = cursor.peek();
  if (sign.kind !== "sign" || !OPERATORS.has(sign.value))
    throw cursor.expected("one of = != < <= > >= ^= in");
  cursor.take();
  const at = cursor.peek().at;
  return compare(field, sign.value, value(cursor), () =>
    problem(cursor.text, at, `"${field} ${sign.value}" needs a number or a text`),
  );
}

function compare(field: string, sign: string, read: Literal, wrong: () => KonteksError): Filter {
  if (sign === "=") return { field, op: "eq", value: read };
  if (sign === "!=") return { not: { field, op: "eq", value: read } };
  if (sign === "^=") return { field, op: "prefix", value: String(read) };
  if (typeof read !== "string" && typeof read !== "number") throw wrong();
  return { field, op: RANGES[sign] ?? "gte", value: read };
}

function list(cursor: Cursor): readonly (string | number | boolean)[] {
  if (!cursor.takeIf("sign", "(")) throw cursor.expected('"("');
  const values = [listValue(cursor)];
  while (cursor.takeIf("sign", ",")) values.push(listValue(cursor));
  if (!cursor.takeIf("sign", ")")) throw cursor.expected('"," or ")"');
  return values;
}

function listValue(cursor: Cursor): string | number | boolean {
  const read = value(cursor);
  if (read === null) throw cursor.expected("a value other than null");
  return read;
}

type Literal = string | number | boolean | null;

function value(cursor: Cursor): Literal {
  const token = operand(cursor, "a value");
  return token.kind === "text" ? token.value : literal(token.value);
}

function operand(cursor: Cursor, what: string): Token {
  const { kind } = cursor.peek();
  if (kind !== "word" && kind !== "text") throw cursor.expected(what);
  return cursor.take();
}

const OPERATORS: ReadonlySet<string> = new Set(["=", "!=", "<", "<=", ">", ">=", "^="]);
const RANGES: Readonly<Record<string, "lt" | "lte" | "gt" | "gte">> = {
  "<": "lt",
  "<=": "lte",
  ">": "gt",
  ">=": "gte",
};

function literal(word: string): Literal {
  if (word === "true") return true;
  if (word === "false") return false;
  if (word === "null") return null;
  return /^-?(\d+\.?\d*|\.\d+)$/.test(word) ? Number(word) : word;
}

function problem(text: string, at: number, what: string): KonteksError {
  const rest = text.slice(at, at + 20);
  const place = rest === "" ? "at the end" : `at character ${at + 1}, before "${rest}"`;
  return new KonteksError(
    "wrong-option",
    `The filter cannot be read ${place}: ${what}. Example: year >= 2023 and company = "ACME".`,
    {
      facts: { filter: text, at },
    },
  );
}
