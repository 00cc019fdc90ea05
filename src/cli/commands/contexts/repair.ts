import { KonteksError } from "../../../spec/index.ts";
import { approveRepair } from "../../approve.ts";
import { contextOptions } from "../../context-flags.ts";
import { exitCodeOf, stopped, tellSpending } from "../../ingesting.ts";
import { existingIndex } from "../../paths.ts";
import { renderReport } from "../../print/report.ts";
import { startProgress } from "../../progress.ts";
import { configOf, indexPath, printJson, type Session, withIndex } from "../../session.ts";

export async function run(session: Session): Promise<number> {
  const { cwd, io, flags, json, quiet, signal } = session;
  const config = await configOf(session);
  const path = existingIndex(indexPath(config, cwd), cwd, "repair");
  return withIndex(session, { ...config.open, path, mustExist: true }, async (konteks) => {
    const options = { ...contextOptions(session), stale: flags.stale === true, signal };
    const estimate = await approveRepair(session, konteks, options);
    if (estimate === false) throw new KonteksError("aborted", "stopped before anything was paid for.");
    const progress = await startProgress(session, estimate);
    const { onProgress } = progress;
    try {
      const report = await konteks.repair({ ...options, onProgress });
      progress.stop();
      tellSpending(session, report, estimate);
      const { added, replaced, embedded = 0, incomplete } = report;
      if (json) printJson(session, { index: path, ...report });
      else if (added + replaced + embedded + incomplete.length === 0) io.print("Nothing is missing.");
      else if (!quiet || exitCodeOf(report) !== 0) io.print(renderReport(report, io.view));
      return exitCodeOf(report);
    } catch (error) {
      if (signal.aborted) throw await stopped(konteks, error);
      throw error;
    } finally {
      progress.stop();
    }
  });
}
