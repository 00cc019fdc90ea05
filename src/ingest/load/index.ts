export { type ListOptions, listFiles } from "./folder.ts";
export { documentFromInput, loadText, type TextOptions } from "./input.ts";
export { hashFile, loadFile, readBytes } from "./load.ts";
export type { FoundFile, HtmlOptions, LoadedFile, LoadOptions, PdfOptions } from "./types.ts";
