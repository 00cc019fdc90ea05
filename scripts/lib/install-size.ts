import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

export interface PackageSize {
  readonly name: string;
  readonly version: string;
  readonly bytes: number;
}

/** What `npm install` brought, largest first. Packages within packages are listed on their own. */
export function packageSizes(project: string): PackageSize[] {
  return installed(join(project, "node_modules"))
    .map((folder) => {
      const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      return { name: String(name), version: String(version), bytes: bytesOf(folder) };
    })
    .sort((a, b) => b.bytes - a.bytes || a.name.localeCompare(b.name));
}

function installed(modules: string): string[] {
  if (!existsSync(modules)) return [];
  const folders = readdirSync(modules)
    .filter((name) => !name.startsWith("."))
    .flatMap((name) =>
      name.startsWith("@") ? readdirSync(join(modules, name)).map((n) => join(name, n)) : [name],
    )
    .map((name) => join(modules, name));
  return folders.flatMap((folder) => [folder, ...installed(join(folder, "node_modules"))]);
}

/** Bytes of a package's own files. */
function bytesOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== "node_modules")
    .reduce((sum, entry) => {
      const path = join(folder, entry.name);
      return sum + (entry.isDirectory() ? bytesOf(path) : statSync(path).size);
    }, 0);
}

export function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(2);
}

/** docs/install-size.md. */
export function installSizePage(sizes: readonly PackageSize[]): string {
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  const rows = sizes.map(({ name, version, bytes }) => `| ${name} | ${version} | ${megabytes(bytes)} |`);
  return `# Install size

<!-- Written by: node scripts/check-package.ts --write-sizes -->

\`npm install konteks\` (production, nothing built, no install script) brings ${sizes.length} packages with
${megabytes(total)} MB of files. The package check fails above 100 MB.

| package | version | MB |
|---|---|---|
${rows.join("\n")}
`;
}
