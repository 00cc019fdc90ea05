import { posix } from "node:path";
import type { Nodes } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";

/** Pages by their path from the root, with their text. */
export type Pages = Readonly<Record<string, string>>;

/** One sentence for each link of the pages to a file that is not there, or to a heading that its page does not have. */
export function brokenLinks(pages: Pages, exists: (path: string) => boolean): string[] {
  const trees = new Map(Object.entries(pages).map(([path, text]) => [path, parse(text)]));
  return [...trees].flatMap(([page, tree]) =>
    linksOf(tree)
      .filter((url) => !/^[a-z]+:/.test(url))
      .flatMap((url) => {
        const [file = "", heading] = decodeURI(url).split("#");
        const target = file === "" ? page : posix.join(posix.dirname(page), file);
        if (!trees.has(target) && !exists(target)) return [`${page} links to ${url}, which is not there.`];
        const headings = trees.get(target);
        if (heading === undefined || headings === undefined || anchorsOf(headings).includes(heading))
          return [];
        return [`${page} links to ${url}, but ${target} has no such heading.`];
      }),
  );
}

function parse(text: string): Nodes {
  return fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
}

function linksOf(node: Nodes): string[] {
  const own = node.type === "link" || node.type === "image" || node.type === "definition" ? [node.url] : [];
  return [...own, ...childrenOf(node).flatMap(linksOf)];
}

/** As GitHub makes them: small letters, hyphens for spaces, no punctuation. */
function anchorsOf(node: Nodes): string[] {
  const own = node.type === "heading" ? [anchorOf(wordsOf(node))] : [];
  return [...own, ...childrenOf(node).flatMap(anchorsOf)];
}

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\-_ ]/gu, "")
    .replaceAll(" ", "-");
}

function wordsOf(node: Nodes): string {
  return "value" in node ? node.value : childrenOf(node).map(wordsOf).join("");
}

function childrenOf(node: Nodes): readonly Nodes[] {
  return "children" in node ? node.children : [];
}
