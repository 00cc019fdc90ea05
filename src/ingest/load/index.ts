export { type ListOptions, listFiles } from "./folder.ts";
export { documentFromInput, loadText, type TextOptions } from "./input.ts";
export { filesInside, type Inside } from "./inside.ts";
export { hashFile, loadFile, READERS, readBytes } from "./load.ts";
export { checkMetadata } from "./metadata.ts";
export type { FoundFile, HtmlOptions, LoadedFile, LoadOptions, PdfOptions } from "./types.ts";
export { fetchFile, isWebAddress } from "./web.ts";
