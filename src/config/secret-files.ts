import { readFileSync } from 'node:fs';

/** Settings that are secrets or contain one, as URLs of stores contain a password. */
const SECRET = /^(?:DATABASE_(?:[A-Z]+_)?URL|REDIS_URL|CONSOLE_TOKEN|ENCRYPTION_KEYS|OIDC_CLIENT_SECRET)$/;

/** Whether a file can hold the setting: `<name>_FILE` is its path. */
export function canBeFile(name: string): boolean {
  return SECRET.test(name);
}

/**
 * Adds the settings whose values are in files.
 * @param names of all settings
 * @returns the problems as lines that name the setting, but neither a value nor a path: a secret that was set as
 * `<name>_FILE` by mistake is no path
 */
export function withSecretFiles(
  given: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): { settings: Record<string, string | undefined>; problems: string[] } {
  const settings = { ...given };
  const problems: string[] = [];
  for (const name of names.filter(canBeFile)) {
    const path = given[`${name}_FILE`];
    if (path === undefined) continue;
    if (given[name] !== undefined) {
      problems.push(`${name}: must not be set together with ${name}_FILE`);
      continue;
    }
    try {
      const value = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
      if (value === '') problems.push(`${name}_FILE: the file is empty`);
      else settings[name] = value;
    } catch (error) {
      problems.push(`${name}_FILE: cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
    }
  }
  return { settings, problems };
}
