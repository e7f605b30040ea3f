/**
 * Parses a URL; null if it is invalid. Needed for Node 20 only: once V8 has optimized the caller, Node 20's
 * `URL.canParse` rejects URLs with Latin-1 letters such as `ü`. Node 22.1 and later have `URL.parse`.
 */
export function parseUrl(text: string, base?: string | URL): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
