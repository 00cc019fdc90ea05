import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Notes the most memory that is held from now on, ten times a second. `peak`: in MiB. */
export function watchMemory(): { readonly peak: () => number } {
  let peak = 0;
  const look = () => {
    peak = Math.max(peak, memoryAt());
  };
  const timer = setInterval(look, 100).unref();
  return {
    peak: () => {
      clearInterval(timer);
      look();
      return peak / 2 ** 20;
    },
  };
}

/** Bytes that this process holds and those that it started. What they share (the file of the program) counts once. */
function memoryAt(): number {
  if (!existsSync("/proc/self/statm")) return process.memoryUsage.rss();
  const [own = 0, ...others] = family("self").map((pid) => {
    const [, resident = 0, shared = 0] = read(pid, "statm").split(" ").map(Number);
    return pid === "self" ? resident : resident - shared;
  });
  return 4096 * others.reduce((sum, pages) => sum + pages, own);
}

/** Seconds of processor time of this process and those that it started, also of those that have ended. */
export function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  if (!existsSync("/proc/self/stat")) return (user + system) / 1e6;
  return family("self").reduce((sum, pid) => sum + ticksOf(pid), 0) / 100;
}

/** Hundredths of a second: its own time, and that of its children that have ended (proc_pid_stat(5), fields 14 to 17). */
function ticksOf(pid: string): number {
  const fields = read(pid, "stat")
    .replace(/^.*\) /s, "")
    .split(" ");
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
}

function family(pid: string): readonly string[] {
  const children = threadsOf(pid).flatMap((thread) => read(pid, `task/${thread}/children`).split(" "));
  return [pid, ...children.filter((each) => each !== "").flatMap(family)];
}

function threadsOf(pid: string): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** Empty when it has just ended. */
function read(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8").trim();
  } catch {
    return "";
  }
}
