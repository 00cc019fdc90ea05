import { Worker } from "node:worker_threads";
import { heldAfterTask } from "./heap.ts";
import { MAX_MEMORY, type Reply, TOO_MUCH } from "./processes.ts";

/** How often memory is looked at, in milliseconds. */
const LOOK_MS = 100;

/**
 * Makes this process one of a pool: does the tasks that it is sent. `step` sends what is ready ahead of the answer.
 * `toSend` turns an error into what can be sent. It ends when the process that started it is gone, also in the middle of
 * a task.
 */
export function answerTasks<Task, Result, Step = never>(
  work: (task: Task, step: (step: Step) => Promise<void>) => Promise<Result>,
  toSend: (error: unknown) => unknown,
): void {
  process.on("message", async (task) => {
    try {
      const result = await work(task as Task, (step) => send({ step }));
      await send({ result, held: heldAfterTask() });
    } catch (error) {
      await send({ error: toSend(error) });
    }
  });
  process.on("disconnect", () => process.exit());
  // Ctrl-C reaches all processes of a terminal; the one that started this one decides what becomes of it.
  process.on("SIGINT", () => {});
  watch();
}

/** Done when it is on its way: what waits to be sent takes memory. A process that is gone hears nothing. */
function send(reply: Reply<unknown, unknown>): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined) resolve();
    else process.send(reply, undefined, undefined, () => resolve());
  });
}

/** Looks after this process from a thread: one in a loop hears nothing, and may fill the memory outside of its heap. */
function watch(): void {
  const look = `
    const parent = ${process.ppid};
    setInterval(() => {
      if (process.ppid !== parent) process.kill(process.pid, "SIGKILL");
      if (process.memoryUsage.rss() > ${MAX_MEMORY * 1024 * 1024}) process.kill(process.pid, "${TOO_MUCH}");
    }, ${LOOK_MS});`;
  new Worker(look, {
    eval: true,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  }).unref();
}
