import type { Answer, Citation, DocumentRecord, Page } from "../../spec/index.ts";
import { headingPath } from "../../text/structure/heading-path.ts";
import { rowAt } from "./table-rows.ts";

/**
 * Gives each citation the headings, pages and table header of the quoted words themselves: a chunk may hold several sections, and its
 * own headings are those of its beginning.
 */
export async function placeCitations(
  answer: Answer,
  documentOf: (id: string) => Promise<DocumentRecord | undefined>,
): Promise<Answer> {
  const ids = [...new Set(answer.citations.map((citation) => citation.documentId))];
  const documents = new Map(
    await Promise.all(ids.map(async (id) => [id, (await documentOf(id))?.document] as const)),
  );
  const citations = answer.citations.map((citation) => place(citation, documents.get(citation.documentId)));
  return { ...answer, citations };
}

function place(citation: Citation, document: DocumentRecord["document"] | undefined): Citation {
  // Words that are not in the document as it is now have no better place than the chunk's.
  if (!document || document.text.slice(citation.start, citation.end) !== citation.quote) return citation;
  const headings = headingPath(document.outline, citation.start).map((heading) => heading.text);
  const pages = document.pages && pagesOf(document.pages, citation);
  const row = rowAt(document.text, citation.start);
  return {
    ...citation,
    ...(headings.length > 0 && { headings }),
    ...(pages && { pages }),
    ...(row?.header && { header: document.text.slice(row.header.start, row.header.end) }),
  };
}

function pagesOf(
  pages: readonly Page[],
  { start, end }: Citation,
): readonly [first: number, last: number] | undefined {
  const first = pages.findLast((page) => page.start <= start);
  const last = pages.findLast((page) => page.start < end);
  return first && last ? [first.number, last.number] : undefined;
}
