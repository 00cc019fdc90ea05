import { lazyLibrary } from "../../util/lazy.ts";

/** The Markdown parser, loaded when the first Markdown is read. */
export const markdownParser =
  lazyLibrary<typeof import("mdast-util-from-markdown")>("mdast-util-from-markdown");
