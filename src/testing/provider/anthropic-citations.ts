/** Anthropic's "Citations". */
import { asList, asObject, asText, type Json } from "./json.ts";
import type { CitableDocument, CitingText, Reply } from "./types.ts";

/** Documents of plain text whose citations are enabled, in the order of the request. */
export function citableDocuments(body: Json): readonly CitableDocument[] {
  return documentsOf(body)
    .filter(isCitable)
    .map((document) => ({
      title: asText(document.title),
      text: asText(asObject(document.source).data) ?? "",
    }));
}

/** "A request can't mix documents that have citations enabled with documents that don't"; nor ask for a form of the reply. */
export function wrongCitations(body: Json): string | undefined {
  const documents = documentsOf(body);
  const citable = documents.filter(isCitable).length;
  if (citable === 0) return undefined;
  if (citable < documents.length)
    return "citations must be enabled on all or none of the documents in a request";
  const form = asObject(body.output_config).format ?? body.output_format;
  return form === undefined ? undefined : "citations cannot be used together with structured outputs";
}

/**
 * The places of the words in the documents; "citations are guaranteed to contain valid pointers", so that words of no
 * document are not cited. Without documents, in the form of search results.
 */
export function citationsOf(
  { cites }: CitingText,
  { documents }: Reply,
): { readonly citations?: readonly Json[] } {
  const citations =
    documents.length === 0 ? cites.map(ofSearch) : cites.flatMap((one) => inDocuments(one, documents));
  return citations.length === 0 ? {} : { citations };
}

function ofSearch(words: string): Json {
  const place = { type: "web_search_result_location", url: "https://example.org/", title: "simulated" };
  return { ...place, cited_text: words, encrypted_index: "0" };
}

/** "Response structure": indices from 0, the end exclusive. */
function inDocuments(words: string, documents: readonly CitableDocument[]): readonly Json[] {
  const index = documents.findIndex(({ text }) => text.includes(words));
  const document = documents[index];
  if (document === undefined) return [];
  const start = document.text.indexOf(words);
  return [
    {
      type: "char_location",
      cited_text: words,
      document_index: index,
      document_title: document.title ?? null,
      start_char_index: start,
      end_char_index: start + words.length,
    },
  ];
}

function documentsOf(body: Json): readonly Json[] {
  return asList(body.messages)
    .flatMap((message) => asList(asObject(message).content))
    .map(asObject)
    .filter(({ type }) => type === "document");
}

function isCitable({ citations }: Json): boolean {
  return asObject(citations).enabled === true;
}
