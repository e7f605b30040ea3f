/**
 * Parses a URL; null for what is none. Node 20 only: once V8 has optimized its caller, `URL.canParse` of Node 20
 * rejects URLs with letters of Latin-1 such as `ü`. `URL.parse` replaces this from Node 22.1 on.
 */
export function parseUrl(text: string, base?: string | URL): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
