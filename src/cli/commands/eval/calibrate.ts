import { writeFileSync } from "node:fs";
import type { ResolvedConfig } from "../../../config/load.ts";
import { buildIndex, documentsOf, workbench } from "../../../eval/build.ts";
import { type Calibration, calibrate, type KindCalibration } from "../../../eval/calibrate.ts";
import { readQuestions, withCorpus } from "../../../eval/dataset/read.ts";
import { writingNow } from "../../../eval/writing.ts";
import type { Konteks } from "../../../spec/index.ts";
import { KonteksError } from "../../../spec/index.ts";
import { existingIndex } from "../../paths.ts";
import { columns, count } from "../../print/layout.ts";
import { configOf, EXIT, indexPath, note, printJson, type Session, withIndex } from "../../session.ts";
import { thresholdsFile } from "../../thresholds.ts";
import { numberFlag } from "./flags.ts";
import { openWith } from "./open.ts";
import { questionsPath } from "./questions.ts";

export async function run(session: Session): Promise<number> {
  const config = await configOf(session);
  const file = await readQuestions(questionsPath(session));
  if (file.documents !== undefined) {
    await using bench = await workbench(openWith(session, config));
    await using built = await buildIndex(bench, withCorpus(file, file.documents), {});
    tell(session, await fitted(session, config, built.konteks, withCorpus(file, file.documents)));
    return EXIT.done;
  }
  const path = existingIndex(indexPath(config, session.cwd), session.cwd, "eval calibrate");
  const { model: _, queryLog: __, ...open } = config.open;
  await withIndex(session, { ...open, path, mustExist: true, readOnly: true }, async (konteks) => {
    const set = withCorpus(file, await documentsOf(konteks, path));
    const calibration = await fitted(session, config, konteks, set);
    tell(session, calibration);
    if (session.flags.save === true) save(session, path, calibration);
  });
  return EXIT.done;
}

function fitted(
  session: Session,
  { search }: ResolvedConfig,
  konteks: Konteks,
  { questions }: ReturnType<typeof withCorpus>,
): Promise<Calibration> {
  const percent = numberFlag(session, "maxWrong");
  const maxWrong = percent === undefined ? {} : { maxWrong: percent / 100 };
  return calibrate(konteks, questions, { search, ...maxWrong, signal: session.signal });
}

function tell(session: Session, fitted: Calibration): void {
  if (session.json) {
    printJson(session, fitted);
    return;
  }
  const { answerable, unanswerable, kinds } = fitted;
  const best = kinds[0];
  session.io.print(
    [
      `${count(answerable, "question")} with an answer, ${unanswerable} without.`,
      "",
      ...columns([HEAD, ...kinds.map(row)]),
      ...(best ? ["", `Curve of ${best.kind}:`, ...columns([CURVE_HEAD, ...best.curve.map(figures)])] : []),
    ].join("\n"),
  );
}

const CURVE_HEAD = ["threshold", "answers wrongly", "abstains wrongly", "balanced"];
const HEAD = ["score", ...CURVE_HEAD, "on questions left out"];

function row(fitted: KindCalibration): string[] {
  return [fitted.kind, ...figures(fitted), percent(fitted.heldOut)];
}

function figures(point: Omit<KindCalibration, "kind" | "heldOut" | "curve">): string[] {
  return [
    String(Number(point.threshold.toPrecision(3))),
    percent(point.wronglyAnswered),
    percent(point.wronglyAbstained),
    percent(point.balancedAccuracy),
  ];
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function save(session: Session, index: string, { kinds, ...counts }: Calibration): void {
  const [best] = kinds;
  if (best === undefined)
    throw new KonteksError("wrong-option", "No answer had a score to put a threshold on.");
  const { kind, curve: _, ...fitted } = best;
  const kept = { thresholds: { [kind]: best.threshold }, kind, ...fitted, ...counts };
  const path = thresholdsFile(index);
  writingNow(path, () => writeFileSync(path, `${JSON.stringify(kept, null, 2)}\n`));
  note(session, `Wrote ${thresholdsFile(index)}; \`konteks ask\` keeps to it.`);
}
