import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Every file below a folder of the project, as paths relative to the root. */
export function filesBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}
