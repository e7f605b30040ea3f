/** Runs a command of `src/cli`. Of an error, only the message is printed. */
export function runTool(main: () => Promise<void>): void {
  void main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
}
