/** `npm run check:imports`: who may import whom, no rings, light first import, no overlong files. */
import { join } from "node:path";
import { brokenRules } from "./lib/import-rules.ts";
import { readSourceFiles } from "./lib/source-files.ts";

const files = readSourceFiles(join(import.meta.dirname, ".."), "src");
const broken = brokenRules(files);
for (const sentence of broken) console.error(sentence);
console.log(`imports: ${files.length} files, ${broken.length} broken rules`);
if (broken.length > 0) process.exitCode = 1;
