/** Writes NOTICES.md: what is installed with konteks, by licence, from the lockfile. `--check`: it must be up to date. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatted, ROOT } from "./lib/run.ts";

interface LockedPackage {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}

/** Packages whose manifest names no licence in the usual field, with what they state elsewhere. */
const STATED: Readonly<Record<string, string>> = { format: "MIT" };

const FILE = "NOTICES.md";
const path = join(ROOT, FILE);
const page = formatted(FILE, render(packagesByLicence()));
if (!process.argv.includes("--check")) writeFileSync(path, page);
else if (page !== readFileSync(path, "utf8")) {
  console.error(`${FILE} is out of date. Run: npm run docs:notices`);
  process.exitCode = 1;
}

function packagesByLicence(): Map<string, string[]> {
  const lock = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
  const found = new Map<string, Set<string>>();
  const ofOthers = namesOnlyOfWorkspaces(lock.packages);
  for (const [place, { license, dev, devOptional }] of Object.entries<LockedPackage>(lock.packages)) {
    const name =
      place.split("node_modules/")[1] === undefined ? "" : (place.split("node_modules/").at(-1) ?? "");
    if (name === "" || dev || devOptional || ofOthers.has(name)) continue;
    const licence = license ?? STATED[name];
    if (licence === undefined) throw new Error(`${name} names no licence. Look it up and add it to STATED.`);
    found.set(licence, (found.get(licence) ?? new Set()).add(name));
  }
  return new Map([...found].sort().map(([licence, names]) => [licence, [...names].sort()]));
}

/** The packages in this repository beside the core, and what they alone depend on. */
function namesOnlyOfWorkspaces(packages: Readonly<Record<string, LockedPackage>>): ReadonlySet<string> {
  const reached = new Set<string>();
  const visit = (name: string) => {
    if (reached.has(name)) return;
    reached.add(name);
    Object.keys(packages[`node_modules/${name}`]?.dependencies ?? {}).forEach(visit);
  };
  Object.keys(packages[""]?.dependencies ?? {}).forEach(visit);
  const names = Object.keys(packages).map((place) => place.split("node_modules/").at(-1) ?? "");
  const workspaces = Object.keys(packages).filter((place) => place.startsWith("packages/"));
  const theirs = workspaces.flatMap((place) => Object.keys(packages[place]?.dependencies ?? {}));
  return new Set(
    names.filter((name) => name.startsWith("@konteks/") || (theirs.includes(name) && !reached.has(name))),
  );
}

function render(packages: ReadonlyMap<string, readonly string[]>): string {
  const rows = [...packages].map(([licence, names]) => `| ${licence} | ${names.join(", ")} |`);
  return `# Notices

<!-- Written by scripts/generate-notices.ts from the lockfile. -->

konteks is under the MIT licence (LICENSE). The package contains no code of others: libraries are dependencies and come
with their own licences. It contains data of others: Adobe's character maps for Chinese, Japanese and Korean PDF files
(BSD-3-Clause, copyright 1990-2009 Adobe Systems Incorporated; their licence lies beside them), as packed by pdf.js.

Algorithms written anew from their published descriptions: the English stemmer follows Porter2 as published by the
Snowball project (<https://snowballstem.org>); BM25, reciprocal rank fusion and the other methods name their papers where
they are implemented.

## Dependencies

Installed with konteks, by licence. Where a package offers a choice, konteks uses it under the first of MIT and
BSD-3-Clause that is offered.

| licence | packages |
|---|---|
${rows.join("\n")}
`;
}
