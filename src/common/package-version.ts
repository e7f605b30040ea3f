import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version of the service, from the package.json above the sources or the compiled code. */
export function packageVersion(): string {
  const files = ['../../package.json', '../../../package.json'].map((path) => join(__dirname, path));
  const file = files.find((each) => existsSync(each));
  return file ? (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version : 'unknown';
}
