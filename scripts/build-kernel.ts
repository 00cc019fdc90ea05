/**
 * `npm run build:kernel`: compiles the vector kernel and writes its bytes as a module.
 * `npm run check:kernel` (`--check`): says whether the module still is what the source compiles to.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import asc from "assemblyscript/asc";

const folder = join(import.meta.dirname, "..", "src", "stores", "sqlite", "kernel");
const sourcePath = join(folder, "kernel.as");
const modulePath = join(folder, "kernel-bytes.ts");
const OPTIONS =
  "-O3 --noAssert --runtime stub --importMemory --noExportMemory --sharedMemory --maximumMemory 65536 --enable simd --enable relaxed-simd --enable threads".split(
    " ",
  );

const wanted = moduleOf(await compile());
if (!process.argv.includes("--check")) {
  writeFileSync(modulePath, wanted);
  console.log(`kernel: ${modulePath} written`);
} else if (readFileSync(modulePath, "utf8") === wanted) {
  console.log("kernel: the module holds what the source compiles to");
} else {
  console.error("kernel: kernel-bytes.ts differs from what kernel.as compiles to. Run: npm run build:kernel");
  process.exitCode = 1;
}

/** The compiler takes files ending in `.ts` only; the source ends otherwise, as TypeScript cannot check it. */
async function compile(): Promise<Uint8Array> {
  let bytes = new Uint8Array(0);
  const { error, stderr } = await asc.main(["kernel.ts", "--outFile", "kernel.wasm", ...OPTIONS], {
    readFile: (name) => (name === "kernel.ts" ? readFileSync(sourcePath, "utf8") : null),
    writeFile: (_, contents) => {
      if (contents instanceof Uint8Array) bytes = Uint8Array.from(contents);
    },
  });
  if (error) throw new Error(`kernel.as does not compile: ${stderr.toString()}`, { cause: error });
  return bytes;
}

function moduleOf(bytes: Uint8Array): string {
  const lines =
    Buffer.from(bytes)
      .toString("base64")
      .match(/.{1,100}/gu) ?? [];
  return `// Compiled from kernel.as by \`npm run build:kernel\`; not to be edited.
// biome-ignore format: generated
export const KERNEL_BYTES =
${lines.map((line) => `  "${line}"`).join(" +\n")};
`;
}
