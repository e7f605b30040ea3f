const AFTER_HOST = /^[^/]*\/\/[^/?#]*(.*)$/s;

/**
 * Whether an unescaped `/`, `?` or `#` in the password ends the host of the URL, in which case the rest of the password
 * would be parsed as a host, path or parameter and shown in messages. No valid URL of a store has a fragment.
 */
export function hasBareCharacters(url: string): boolean {
  return /[@#]/.test(AFTER_HOST.exec(url)?.[1] ?? '');
}
