import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

/**
 * Runs a worker module over tasks, as many at once as there are cores. The module reads its task from `workerData` and
 * posts one message; results come in the order of the tasks.
 */
export async function runInWorkers<Task, Result>(
  module: URL,
  tasks: readonly Task[],
  onResult: (result: Result, task: Task) => void,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < tasks.length; index = next++) {
      const task = tasks[index] as Task;
      const result = await runWorker<Result>(module, task);
      results[index] = result;
      onResult(result, task);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
  return results;
}

function runWorker<Result>(module: URL, task: unknown): Promise<Result> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(module, { workerData: task });
    let result: Result | undefined;
    worker.on("message", (message: Result) => {
      result = message;
    });
    worker.on("error", reject);
    worker.on("exit", (code) => {
      if (code === 0 && result !== undefined) resolve(result);
      else reject(new Error(`the worker ended with ${code} and no result`));
    });
  });
}
