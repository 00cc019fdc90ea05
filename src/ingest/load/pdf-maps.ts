import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The folder of Adobe's character maps, which tell the letters of Chinese, Japanese and Korean fonts that are named in a
 * PDF but not in it. They are built into the package; beside the sources they come from pdfjs-dist. A path, because
 * the PDF library opens it as a file.
 */
export function characterMaps(): string | undefined {
  const built = fileURLToPath(new URL("./cmaps/", import.meta.url));
  if (existsSync(built)) return built;
  try {
    return join(fileURLToPath(import.meta.resolve("pdfjs-dist/package.json")), "../cmaps/");
  } catch {
    return undefined;
  }
}
