/** A line that hardly stands in prose: it ends like a statement or block, begins with a keyword, assigns, calls or decorates. */
const CODE_LINE = new RegExp(
  [
    "[{};]\\s*$",
    "^\\s*[)\\]}]+[,;:]?\\s*$",
    "^\\s*(?:async\\s+)?(?:def|class|func|fn|function)\\s+\\w+[^.]*[:({]",
    "^\\s*(?:from\\s+[\\w.]+\\s+import|import\\s+[\\w.{*]+)\\b[^.]*$",
    "^\\s*(?:if|elif|for|while|with|except|match|case)\\b.*:\\s*$",
    "^\\s*(?:else|try|finally)\\s*:\\s*$",
    "^\\s*(?:return|raise|yield|await|pass|break|continue)(?:\\s+[\\w.([{\"'-]+.*)?(?<!\\.)$",
    "^\\s*(?:const|let|var|pub|use|public|private|static|package|namespace)\\s+[\\w{].*[;={(]",
    "^\\s*@[\\w.]+(?:\\(|\\s*$)",
    "^\\s*(?:\"\"\"|'''|//|/\\*|\\*/|#include|#!)",
    "(?:\"\"\"|''')\\s*$",
    "^\\s*[\\w.[\\]\"']+(?:\\s*:\\s*[\\w.[\\], |]+)?\\s*(?:[-+*/|&:]?=)\\s*\\S",
    "(?:=>|->|:=|===?|!=)",
    "^\\s*[\\w.]+\\(.*\\)?,?\\s*$",
  ].join("|"),
);
/** So many words in a row are prose, whatever the line ends with, but in a comment. */
const PROSE = /(?:\p{L}[\p{L}\p{M}'’]*,? ){7}/u;
const COMMENT = /^\s*(?:\/\/|\/?\*|#|--|"""|''')/;
const ENOUGH = 0.4;

/** Whether a text is source code, by its lines: of the kinds of line that prose has none of, it has a good part. */
export function looksLikeCode(text: string): boolean {
  if (/[{};]\s*$/m.test(text) && !/[.!?。]\s/u.test(text)) return true;
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== "");
  return lines.length > 1 && lines.filter(isCodeLine).length >= ENOUGH * lines.length;
}

function isCodeLine(line: string): boolean {
  return CODE_LINE.test(line) && (COMMENT.test(line) || !PROSE.test(line));
}
