/** What a path of a short domain names (4-decisions §6). */
export type ShortPath =
  | {
      kind: 'link';
      code: string;
      /** The namespace of an app, for `/<appPath>/<code>`. */
      appPath: string | null;
    }
  | {
      kind: 'campaign';
      alias: string;
      /** For `/c/<alias>/<trackerAlias>`. */
      tracker: string | null;
    };

/** The letters of codes, aliases and app paths: what holds any other can't exist, and is not looked for. */
const LINK_PATH = /^\/(?:([A-Za-z0-9_-]{1,50})\/)?([A-Za-z0-9_-]{1,50})\/?$/;
const CAMPAIGN_PATH = /^\/c\/([A-Za-z0-9_-]{1,50})(?:\/([^/]{1,100}))?\/?$/;

/** Reads the paths of links and campaigns; null for every other. A slash at the end does not count. */
export function parseShortPath(path: string): ShortPath | null {
  return parse(path) ?? (path.includes('%') ? parse(decoded(path)) : null);
}

function parse(path: string): ShortPath | null {
  if (path.startsWith('/c/')) {
    const [, alias, tracker] = CAMPAIGN_PATH.exec(path) ?? [];
    return alias ? { kind: 'campaign', alias, tracker: tracker ? decoded(tracker) : null } : null;
  }
  const [, appPath, code] = LINK_PATH.exec(path) ?? [];
  return code ? { kind: 'link', code, appPath: appPath ?? null } : null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
