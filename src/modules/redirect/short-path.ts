/** What a path of a short domain names. */
export interface ShortPath {
  code: string;
  /** The namespace of an app, for `/<appPath>/<code>`. */
  appPath: string | null;
}

/** The letters of codes, aliases and app paths: what holds any other can't exist, and is not looked for. */
const SHORT_PATH = /^\/(?:([A-Za-z0-9_-]{1,50})\/)?([A-Za-z0-9_-]{1,50})\/?$/;

/** Reads `/<code>` and `/<appPath>/<code>`; null for every other path. A slash at the end does not count. */
export function parseShortPath(path: string): ShortPath | null {
  const match = SHORT_PATH.exec(path) ?? (path.includes('%') ? SHORT_PATH.exec(decoded(path)) : null);
  return match?.[2] ? { code: match[2], appPath: match[1] ?? null } : null;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
