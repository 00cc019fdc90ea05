// Runs in a thread of its own: takes part in the scans of the memories that it is given (vector-blocks.ts).
import { constants, setPriority } from "node:os";
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { loadKernel } from "./kernel/kernel.ts";
import type { HelperData, HelperMessage } from "./scan-helpers.ts";
import { type Blocks, blocksOf, takeBlock } from "./vector-blocks.ts";
import { layOut } from "./vector-layout.ts";

const { signal, thread } = workerData as HelperData;
const memories = new Map<number, Blocks>();

// For what a processor has left: where none is idle, a helper would only be in the way of the thread that it helps. There,
// 0 stands for this thread; elsewhere for the whole process.
if (process.platform === "linux") setPriority(0, constants.priority.PRIORITY_LOW);

for (;;) {
  const seen = Atomics.load(signal, 0);
  readMessages();
  for (const blocks of memories.values()) while (takeBlock(blocks));
  Atomics.wait(signal, 0, seen);
}

function readMessages(): void {
  if (!parentPort) return;
  let read = receiveMessageOnPort(parentPort);
  while (read) {
    take(read.message as HelperMessage);
    read = receiveMessageOnPort(parentPort);
  }
}

function take({ id, ...given }: HelperMessage): void {
  if (given.memory === undefined) memories.delete(id);
  else memories.set(id, blocksOf(loadKernel(given.memory), layOut(given.dimensions), thread));
}
