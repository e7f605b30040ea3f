import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** How a receiver checks a signature, by language: files that are documentation, and run in the tests. */
export const RECEIVERS = [
  { language: 'Node', fence: 'js', file: 'verify.mjs' },
  { language: 'Python', fence: 'python', file: 'verify.py' },
  { language: 'Java', fence: 'java', file: 'WaypostWebhook.java' },
  { language: 'Go', fence: 'go', file: 'verify.go' },
  { language: 'PHP', fence: 'php', file: 'verify.php' },
] as const;
export type Receiver = (typeof RECEIVERS)[number];

/** The whole example. */
export function receiverSource({ file }: Receiver): string {
  return readFileSync(join(__dirname, 'receivers', file), 'utf8');
}
