import { KonteksError } from "../../spec/index.ts";
import { renderWhy } from "../print/why.ts";
import { queryFlags } from "../search-flags.ts";
import { configOf, EXIT, printJson, type Session, withIndex } from "../session.ts";
import { readIndex } from "../which-index.ts";

export async function run(session: Session, args: readonly string[]): Promise<number> {
  const { io, signal, json, flags } = session;
  if (typeof flags.expect !== "string") {
    throw new KonteksError(
      "wrong-option",
      "Say what should have been found: --expect file.md:12, a chunk id, or a quote from it.",
    );
  }
  const expect = flags.expect;
  const config = await configOf(session);
  const path = readIndex(session, config, "why");
  return withIndex(session, { ...config.open, path, mustExist: true, readOnly: true }, async (konteks) => {
    const options = { ...config.search, ...queryFlags(session), signal, expect };
    const report = await konteks.why(args.join(" "), options);
    if (json) printJson(session, { index: path, ...report });
    else io.print(renderWhy(report, io.view));
    return EXIT.done;
  });
}
