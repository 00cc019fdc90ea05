// Runs in a thread of its own: reads what it is sent, and answers with the document or with what is wrong with it.
import { parentPort } from "node:worker_threads";
import { heapAfterTask } from "../../util/thread-heap.ts";
import type { ThreadReply } from "../../util/threads.ts";
import { parseBytes } from "./parse.ts";
import { type Task, toSend } from "./threads.ts";
import type { Parsed } from "./types.ts";

parentPort?.on("message", async ({ bytes, file, options }: Task) => {
  parentPort?.postMessage(await reply(bytes, file, options));
});

async function reply(
  bytes: Uint8Array,
  file: Task["file"],
  options: Task["options"],
): Promise<ThreadReply<Parsed>> {
  try {
    const result = await parseBytes(bytes, file, options);
    return { result, heap: heapAfterTask() };
  } catch (error) {
    return { error: toSend(error) };
  }
}
