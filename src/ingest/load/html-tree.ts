import type { DefaultTreeAdapterTypes } from "parse5";

export type Node = DefaultTreeAdapterTypes.ChildNode | DefaultTreeAdapterTypes.Document;
export type Element = DefaultTreeAdapterTypes.Element;

export interface Visitor {
  /** Return false to leave out what is inside; `leave` is then not called. */
  enter(node: Node): boolean;
  leave?(node: Node): void;
}

/** Walks a tree in document order without recursion: pages nest tens of thousands of levels deep. */
export function visit(root: Node, visitor: Visitor): void {
  const open: { readonly node: Node; readonly children: readonly Node[]; next: number }[] = [];
  enter(root);
  for (let frame = open.at(-1); frame !== undefined; frame = open.at(-1)) {
    const child = frame.children[frame.next++];
    if (child !== undefined) enter(child);
    else {
      open.pop();
      visitor.leave?.(frame.node);
    }
  }

  function enter(node: Node): void {
    if (!visitor.enter(node)) return;
    const children = childrenOf(node);
    if (children.length > 0) open.push({ node, children, next: 0 });
    else visitor.leave?.(node);
  }
}

export function childrenOf(node: Node): readonly Node[] {
  return "childNodes" in node ? node.childNodes : [];
}

export function isElement(node: Node): node is Element {
  return "tagName" in node;
}

export function textOf(node: Node): string | undefined {
  return node.nodeName === "#text" && "value" in node ? node.value : undefined;
}

export function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((each) => each.name === name)?.value;
}

/** All elements below (and with) a node for which `test` holds. */
export function findAll(root: Node, test: (element: Element) => boolean): readonly Element[] {
  const found: Element[] = [];
  visit(root, {
    enter(node) {
      if (isElement(node) && test(node)) found.push(node);
      return true;
    },
  });
  return found;
}

const blockLevel = new Set(
  (
    "address article aside blockquote body button caption center dd details dialog dir div dl dt fieldset figcaption figure " +
    "footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup option p pre search " +
    "section select summary table tbody td textarea tfoot th thead tr ul"
  ).split(" "),
);

/** Whether text before and after an element runs on, as it does for names that HTML does not know; components begin anew. */
export function isInline(element: Element): boolean {
  return !blockLevel.has(element.tagName) && !element.tagName.includes("-");
}
