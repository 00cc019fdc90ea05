import { attribute, type Element, findAll, isElement, type Node, textOf, visit } from "./html-tree.ts";

/** Elements whose content is never shown as text. */
const unseen = new Set([
  "head",
  "script",
  "style",
  "template",
  "noscript",
  "svg",
  "canvas",
  "iframe",
  "object",
  "audio",
  "video",
  "annotation",
  "datalist",
]);

/** Class names of what widespread site software puts into headings and texts for editing. */
const editing =
  /(^|\s)(mw-editsection|mw-jump-link|headerlink|anchor-link|hash-link|header-anchor|heading-anchor|anchorjs-link)(\s|$)/;

export function isUnseen(element: Element): boolean {
  return unseen.has(element.tagName) || isHidden(element) || editing.test(attribute(element, "class") ?? "");
}

const noDisplay = /(^|;)\s*display\s*:\s*none/i;

function isHidden(element: Element): boolean {
  // One of several tabs: hidden until it is chosen.
  if (attribute(element, "role") === "tabpanel") return false;
  return attribute(element, "hidden") !== undefined || noDisplay.test(attribute(element, "style") ?? "");
}

/**
 * Shows what a page hides until its scripts run: an element with most of the page's text is its content, whatever its
 * attributes say. Changes the tree.
 */
export function reveal(body: Node): void {
  const hidden = findAll(body, isHidden);
  if (hidden.length === 0) return;
  const length = (root: Node) => textLength(root, (element) => unseen.has(element.tagName));
  const most = 0.5 * length(body);
  // Menus and dialogs are many and small; a page is hidden by one or two elements around everything.
  for (const element of hidden.slice(0, 20)) {
    if (length(element) <= most) continue;
    element.attrs = element.attrs.filter(
      ({ name, value }) => name !== "hidden" && !(name === "style" && noDisplay.test(value)),
    );
  }
}

/** What is walked: the root, and which elements below it are left out. */
export interface Content {
  readonly root: Node;
  readonly leftOut: (element: Element) => boolean;
}

/**
 * The main content of a page: `main` or `article` where one holds most of the text, else the body without navigation,
 * footer and asides; all of the body where that would leave little.
 */
export function mainContent(body: Node): Content {
  const all = wholeContent(body);
  const isMenu = menuTest(body);
  const isNavigation = (element: Element) =>
    isNavigationElement(element) || isControl(element) || isMenu(element);
  const total = lengthOf(all);
  const main = largest(findAll(body, isMain).map((root) => ({ root, leftOut: isNavigation })));
  if (main !== undefined && main.length >= 0.5 * total) return main.content;
  const trimmed = { root: body, leftOut: (element: Element) => isNavigation(element) || isSide(element) };
  return lengthOf(trimmed) >= 0.3 * total ? trimmed : all;
}

export function wholeContent(body: Node): Content {
  return { root: body, leftOut: () => false };
}

function largest(contents: readonly Content[]): { content: Content; length: number } | undefined {
  // Nested or countless articles are a list of teasers; measuring each would cost the square of their number.
  return contents
    .slice(0, 20)
    .map((content) => ({ content, length: lengthOf(content) }))
    .sort((a, b) => b.length - a.length)[0];
}

function isMain(element: Element): boolean {
  return element.tagName === "main" || element.tagName === "article" || attribute(element, "role") === "main";
}

function isNavigationElement(element: Element): boolean {
  const role = attribute(element, "role");
  return element.tagName === "nav" || role === "navigation" || role === "search";
}

/** What a page is worked with; its words name actions, not facts. */
function isControl({ tagName }: Element): boolean {
  return tagName === "button" || tagName === "select";
}

const menuName =
  /(^|[\s_-])(menu|nav|navbar|navigation|topbar|footer|dropdown|portlet|breadcrumbs?|catlinks|sidebar|share|sharing|social|pager|pagination)($|[\s_-])/i;
const consentName = /(^|[\s_-])(cookies?|consent|gdpr)($|[\s_-])|cookie-?(banner|bar|notice|consent)/i;
/** A page about cookies says more than a question whether they are wanted. */
const longestConsent = 1500;

/** Letters of an element, and how many of them stand in links. */
interface Measure {
  text: number;
  links: number;
}

/**
 * Tells boxes that are named like a menu and hold hardly anything but links; the name or the links alone would not do.
 * All boxes are measured in one walk.
 */
function menuTest(body: Node): (element: Element) => boolean {
  const measures = new Map<object, Measure>();
  visit(body, {
    enter(node) {
      const text = textOf(node);
      if (text === undefined) measures.set(node, { text: 0, links: 0 });
      else parentOf(measures, node).text += text.trim().length;
      return true;
    },
    leave(node) {
      const own = measures.get(node);
      if (own === undefined) return;
      const parent = parentOf(measures, node);
      parent.text += own.text;
      parent.links += isElement(node) && node.tagName === "a" ? own.text : own.links;
    },
  });
  return (element) => {
    const name = `${attribute(element, "id") ?? ""} ${attribute(element, "class") ?? ""}`;
    const { text, links } = measures.get(element) ?? { text: 0, links: 0 };
    return (menuName.test(name) && links >= 0.7 * text) || (consentName.test(name) && text <= longestConsent);
  };
}

/** What is counted for the element around a node; above the root nothing is. */
function parentOf(measures: ReadonlyMap<object, Measure>, node: Node): Measure {
  const parent = "parentNode" in node && node.parentNode !== null ? measures.get(node.parentNode) : undefined;
  return parent ?? { text: 0, links: 0 };
}

function isSide(element: Element): boolean {
  const role = attribute(element, "role") ?? "";
  return (
    ["aside", "footer"].includes(element.tagName) || ["contentinfo", "complementary", "banner"].includes(role)
  );
}

function lengthOf({ root, leftOut }: Content): number {
  return textLength(root, (element) => isUnseen(element) || leftOut(element));
}

function textLength(root: Node, leftOut: (element: Element) => boolean): number {
  let length = 0;
  visit(root, {
    enter(node) {
      if (isElement(node) && leftOut(node)) return false;
      length += textOf(node)?.replace(/\s+/g, " ").trim().length ?? 0;
      return true;
    },
  });
  return length;
}
