import type { AnswersResult } from "../../../eval/answers/run-answers.ts";
import type { Ladder } from "../../../eval/ladder/ladder.ts";
import { answersHtml } from "../../../eval/report/answers-html.ts";
import { answersMarkdown } from "../../../eval/report/answers-markdown.ts";
import { ladderHtml } from "../../../eval/report/ladder-html.ts";
import { ladderMarkdown } from "../../../eval/report/ladder-markdown.ts";
import { type ReadResult, resultJson } from "../../../eval/report/result-json.ts";
import { sweepHtml } from "../../../eval/report/sweep-html.ts";
import { sweepMarkdown } from "../../../eval/report/sweep-markdown.ts";
import type { Sweep } from "../../../eval/sweep/sweep.ts";
import type { Renderings } from "./reports.ts";

export function ladderRenderings(ladder: Ladder): Renderings {
  return {
    html: () => ladderHtml(ladder),
    md: (columns) => ladderMarkdown(ladder, columns),
    json: () => resultJson("ladder", ladder),
  };
}

export function sweepRenderings(sweep: Sweep): Renderings {
  return {
    html: () => sweepHtml(sweep),
    md: (columns) => sweepMarkdown(sweep, columns),
    json: () => resultJson("sweep", sweep),
  };
}

export function answersRenderings(answers: AnswersResult): Renderings {
  return {
    html: () => answersHtml(answers),
    md: (columns) => answersMarkdown(answers, columns),
    json: () => resultJson("answers", answers),
  };
}

export function renderingsOf(read: ReadResult): Renderings {
  if (read.kind === "ladder") return ladderRenderings(read.result);
  return read.kind === "sweep" ? sweepRenderings(read.result) : answersRenderings(read.result);
}
