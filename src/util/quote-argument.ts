/** An argument as one types it in a shell: in single quotation marks (double ones on Windows) unless it needs none. */
export function quoteArgument(argument: string, platform: NodeJS.Platform = process.platform): string {
  if (/^[\p{L}\p{N}_@%+=:,./\\-]+$/u.test(argument) && (platform === "win32" || !argument.includes("\\")))
    return argument;
  return platform === "win32"
    ? `"${argument.replaceAll('"', '\\"')}"`
    : `'${argument.replaceAll("'", "'\\''")}'`;
}
