/** A path below the root with `/` between parts, whatever the system's separator is. */
export function toId(relativePath: string, separator: "/" | "\\"): string {
  const path = separator === "\\" ? relativePath.replaceAll("\\", "/") : relativePath;
  return path.replace(/^(\.\/)+/, "");
}

/** Last part of an id or path: "b.md" of "a/b.md". */
export function baseName(id: string): string {
  return (
    id
      .replace(/[/\\]+$/, "")
      .split(/[/\\]/)
      .at(-1) ?? id
  );
}

/** Ending in lower case, without the dot: "md" of "a/B.MD"; "" when there is none, and for names like ".env". */
export function ending(id: string): string {
  return /[^/\\]\.([^./\\\s]+)$/.exec(id)?.[1]?.toLowerCase() ?? "";
}

/** The name a person would call a file: "annual report 2025" of "a/annual-report_2025.pdf". */
export function nameOf(id: string): string {
  const name = baseName(id);
  const stem = ending(name) === "" ? name : name.slice(0, name.lastIndexOf("."));
  return stem.replace(/[_\s]+/g, " ").trim() || name || id;
}

/** Order of ids: by code unit, the same on every system and in every language. */
export function compareIds(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
