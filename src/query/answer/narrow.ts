import type { Hit } from "../../spec/index.ts";
import { lineStarts, linesOf } from "../../util/lines.ts";
import type { ReadQuestion } from "./question.ts";
import { readSentences } from "./sentence-features.ts";

/**
 * The part of a hit that bears on the question: from the first sentence that says much of it to the last, with a
 * sentence on either side. A hit of which no sentence stands out stays whole.
 */
export function narrow(hit: Hit, question: ReadQuestion): Hit {
  const sentences = readSentences(question, hit, 0);
  const best = Math.max(0, ...sentences.map(({ features }) => features.own));
  if (best === 0 || sentences.length < 4) return hit;
  const bearing = sentences.flatMap(({ features }, i) => (features.own >= best / 2 ? [i] : []));
  const first = sentences[Math.max(0, (bearing[0] ?? 0) - 1)];
  const last = sentences[Math.min(sentences.length - 1, (bearing.at(-1) ?? 0) + 1)];
  return first && last ? slice(hit, first.start, last.end) : hit;
}

/** At most `length` units around the best sentence, for a look at many passages at little cost. */
export function excerpt(hit: Hit, question: ReadQuestion, length = 700): Hit {
  if (hit.text.length <= length) return hit;
  const [first, ...rest] = readSentences(question, hit, 0);
  if (!first) return hit;
  const best = rest.reduce((a, b) => (b.features.own > a.features.own ? b : a), first);
  const room = Math.max(0, length - (best.end - best.start)) / 2;
  const inside = [first, ...rest].filter(
    ({ start, end }) => start >= best.start - room && end <= best.end + room,
  );
  const start = Math.min(best.start, ...inside.map((one) => one.start));
  const end = Math.max(best.end, ...inside.map((one) => one.end));
  return slice(hit, start, Math.min(end, start + 2 * length));
}

function slice(hit: Hit, start: number, end: number): Hit {
  const [first, last] = linesOf(lineStarts(hit.text), { start, end });
  return {
    ...hit,
    start: hit.start + start,
    end: hit.start + end,
    text: hit.text.slice(start, end),
    lines: [hit.lines[0] + first - 1, hit.lines[0] + last - 1],
  };
}
