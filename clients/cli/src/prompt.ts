import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { EXIT, Failure } from './exit';

/** Asks on the terminal. What is typed as the answer to a secret is not shown. */
export async function ask(question: string, { secret = false, preset = '' } = {}): Promise<string> {
  const hint = preset ? ` (${preset})` : '';
  const prompt = `${question}${hint}: `;
  if (secret) process.stderr.write(prompt);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({
    input: process.stdin,
    output: secret ? nowhere : process.stderr,
    terminal: true,
  });
  const interrupted = new Promise<never>((_, reject) =>
    lines.once('SIGINT', () => reject(new Failure('', EXIT.interrupted))),
  );
  try {
    return (await Promise.race([lines.question(secret ? '' : prompt), interrupted])).trim() || preset;
  } finally {
    lines.close();
    if (secret) process.stderr.write('\n');
  }
}

/** Everything on standard input. */
export async function readStdin(): Promise<string> {
  let text = '';
  process.stdin.setEncoding('utf8');
  for await (const chunk of process.stdin) text += chunk as string;
  return text;
}
