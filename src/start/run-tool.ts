/** Runs a command of `src/cli`; of an error it prints the message alone. */
export function runTool(main: () => Promise<void>): void {
  void main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
}
