import { wordOf } from './tracking-parameter';

/** What a path of a short domain names (docs/concepts/redirects.md#paths). */
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
      /** The namespace of an app, for `/<appPath>/c/<alias>`. */
      appPath: string | null;
      /** For `/c/<alias>/<trackerAlias>`; null also where it is nothing that can be counted. */
      tracker: string | null;
    };

/** The letters of codes, aliases and app paths: what holds any other can't exist, and is not looked for. */
const LINK_PATH = /^\/(?:([A-Za-z0-9_-]{1,50})\/)?([A-Za-z0-9_-]{1,50})\/?$/;
const ALIAS = /^[A-Za-z0-9_-]{1,50}$/;
const CAMPAIGN_PATH = /^(?:\/([A-Za-z0-9_-]{1,50}))?\/c\/([^/]+)(?:\/([^/]+))?\/?$/;
const MAX_TRACKER = 100;

/** The path of a request's tracked link, and its query without the question mark. */
export function splitPath(url: string): { path: string; query: string } {
  const mark = url.indexOf('?');
  return mark === -1 ? { path: url, query: '' } : { path: url.slice(0, mark), query: url.slice(mark + 1) };
}

/** Reads the paths of links and campaigns; null for every other. A slash at the end does not count. */
export function parseShortPath(path: string): ShortPath | null {
  return parse(path) ?? (path.includes('%') ? parse(decoded(path)) : null);
}

function parse(path: string): ShortPath | null {
  if (path.includes('/c/')) {
    const [, appPath = null, text = '', tracker] = CAMPAIGN_PATH.exec(path) ?? [];
    const alias = decoded(text);
    return ALIAS.test(alias) ? { kind: 'campaign', alias, appPath, tracker: trackerOf(tracker) } : null;
  }
  const [, appPath = null, code] = LINK_PATH.exec(path) ?? [];
  return code ? { kind: 'link', code, appPath } : null;
}

/**
 * Of any form, as marketers make them up: a visitor gets where the link leads, counted without one that is too long.
 */
function trackerOf(text: string | undefined): string | null {
  return text === undefined ? null : wordOf(decoded(text), MAX_TRACKER);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
