#!/usr/bin/env node
// Runs on any Node that knows ES modules, so that an old one gets a sentence and not a syntax error: no import, no new
// syntax in this file.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major > 22 || (major === 22 && minor >= 18)) {
  import("./main.ts").then((main) => main.run());
} else {
  const typed = process.argv.slice(2).map(quoted).join(" ");
  process.stderr.write(
    `konteks needs Node 22.18 or newer; this is ${process.versions.node}. ` +
      `Install it from https://nodejs.org, or run \`npx -p node@24 -p konteks konteks ${typed}\`.\n`,
  );
  process.exitCode = 1;
}

/** As `quoteArgument`, which cannot be imported here. */
function quoted(argument: string): string {
  if (/^[\w@%+=:,./-]+$/.test(argument)) return argument;
  return process.platform === "win32"
    ? `"${argument.replace(/"/g, '\\"')}"`
    : `'${argument.replace(/'/g, "'\\''")}'`;
}
