#!/usr/bin/env node
import { CommanderError } from 'commander';
import { EXIT } from './exit';
import { report } from './errors';
import { program } from './program';

// The reader of the output, such as `head`, may exit first.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

try {
  await program().parseAsync();
} catch (error) {
  // Commander has said what is wrong.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : EXIT.usage;
  else process.exitCode = report(error);
}
