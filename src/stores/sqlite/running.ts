/** Whether a process of this machine runs. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It runs, but belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
