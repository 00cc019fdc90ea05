import { settingsInForce } from "../../config/describe.ts";
import type { OpenOptions, Status } from "../../spec/index.ts";
import { hintAtLocalModel } from "../local-hint.ts";
import { hasIndex } from "../paths.ts";
import { renderStatus, type StatusReport } from "../print/status.ts";
import { configOf, EXIT, indexPath, printJson, type Session, withIndex } from "../session.ts";
import { onlyNear } from "../which-index.ts";

export async function run(session: Session): Promise<number> {
  const { io, json } = session;
  const config = await configOf(session);
  const index = onlyNear(session, config) ?? indexPath(config, session.cwd);
  const status = hasIndex(index) ? await statusOf(session, index, config.open) : undefined;
  const settings = settingsInForce(config, index, status?.identity);
  const report: StatusReport = { status, index, settings, config };
  if (json) printJson(session, toJson(report));
  else io.print(renderStatus(report, io.view));
  await hintAtLocalModel(session, status?.identity?.embedding);
  return EXIT.done;
}

/** Without the settings of the index, so that one made with others can still be looked at. */
function statusOf(session: Session, path: string, { queryLog }: OpenOptions): Promise<Status> {
  const options = { path, mustExist: true, readOnly: true, ...(queryLog !== undefined && { queryLog }) };
  return withIndex(session, options, (konteks) => konteks.status());
}

function toJson({ status, index, settings, config }: StatusReport): Record<string, unknown> {
  const { file, keys, warnings } = config;
  const held = status === undefined ? {} : { ...status };
  return {
    exists: status !== undefined,
    ...held,
    index,
    settings,
    configFile: file ?? null,
    keys: Object.fromEntries(keys.map(({ name, set }) => [name, set ? "set" : "not set"])),
    configWarnings: warnings,
  };
}
