import { readFileSync } from 'node:fs';

/** Settings that are or contain secrets; URLs of stores contain a password. */
const SECRET = /^(?:DATABASE_(?:[A-Z]+_)?URL|REDIS_URL|CONSOLE_TOKEN|ENCRYPTION_KEYS|OIDC_CLIENT_SECRET)$/;

/** Whether `<name>_FILE` may contain the path of a file with the setting's value. */
export function canBeFile(name: string): boolean {
  return SECRET.test(name);
}

/**
 * Adds the settings whose values are in files.
 * @param names of all settings
 * @returns problems as lines that name the setting, but neither a value nor a path, because a secret set as
 * `<name>_FILE` by mistake would be printed as the path
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
