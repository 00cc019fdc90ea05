import type { AnswerSentence, Citation } from "../../spec/index.ts";
import type { CheckedAnswer } from "./citations.ts";

/** The answer without its unsupported sentences; citations that only they had go as well. */
export function dropUnsupported(checked: CheckedAnswer): CheckedAnswer {
  const dropped = checked.sentences.filter(({ verdict }) => verdict === "unsupported");
  if (dropped.length === 0) return checked;
  const kept = checked.sentences.filter(({ verdict }) => verdict !== "unsupported");
  const used = [...new Set(kept.flatMap(({ citations }) => citations))].sort((a, b) => a - b);
  const citations = used.flatMap((index): readonly Citation[] => checked.citations.slice(index, index + 1));
  const note = `${dropped.length} sentence${dropped.length === 1 ? " was" : "s were"} left out because nothing cited supports ${dropped.length === 1 ? "it" : "them"}.`;
  // Headings and lead-ins alone are no answer.
  if (!kept.some(({ verdict }) => verdict === "supported"))
    return { text: "", citations: [], sentences: [], notes: [...checked.notes, note] };
  return { ...joined(checked.text, kept, used), citations, notes: [...checked.notes, note] };
}

function joined(text: string, kept: readonly AnswerSentence[], used: readonly number[]) {
  let rest = "";
  const sentences = kept.map((sentence, i): AnswerSentence => {
    const before = kept[i - 1];
    if (before) {
      const gap = text.slice(before.end, sentence.start);
      rest += gap.trim() === "" ? gap : /\n/.test(gap) ? "\n\n" : " ";
    }
    const start = rest.length;
    rest += text.slice(sentence.start, sentence.end);
    return {
      ...sentence,
      start,
      end: rest.length,
      citations: sentence.citations.map((index) => used.indexOf(index)),
    };
  });
  return { text: rest, sentences };
}
