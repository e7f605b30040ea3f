const AFTER_HOST = /^[^/]*\/\/[^/?#]*(.*)$/s;

/**
 * Whether a `/`, `?` or `#` of the password ends the host of a URL, so that the rest of the password would be taken for
 * a host, a path or a parameter, and shown in messages. No store has a use for a fragment.
 */
export function hasBareCharacters(url: string): boolean {
  return /[@#]/.test(AFTER_HOST.exec(url)?.[1] ?? '');
}
