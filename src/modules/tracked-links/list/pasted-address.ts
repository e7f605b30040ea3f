import { pasted } from '../../../common/contact-values/pasted';
import { decoded } from '../../../common/http/query-string';
import type { TrackedLinkKind } from '../../clicks/click';
import { isCode, isWord } from '../../domains/codes';

export interface PastedAddress {
  /** In lower case and Punycode, without port; null if the text has none. */
  host: string | null;
  /** Namespace of an app. */
  appPath: string | null;
  /** Code of a link, or alias of a campaign. */
  code: string;
}

/**
 * Parses a pasted short URL, with or without scheme, host, app namespace, tracker, query and trailing slash.
 * @returns null for text that is not a URL of this kind, and for a bare code, which text search finds
 */
export function pastedAddress(kind: TrackedLinkKind, typed: string): PastedAddress | null {
  const text = pasted(typed);
  if (!/[/?#]/.test(text)) return null;
  const withoutScheme = text.replace(/^https?:\/\//i, '');
  const [path = ''] = withoutScheme.split(/[?#]/, 1);
  const segments = path.split('/').filter((segment) => segment !== '');
  const [first = ''] = segments;
  const named = withoutScheme !== text || /[.:]/.test(first);
  const host = named ? hostOf(first) : null;
  if (named && host === null) return null;
  const codes = codesIn(kind, named ? segments.slice(1) : segments);
  return codes && { host, ...codes };
}

function codesIn(kind: TrackedLinkKind, segments: readonly string[]): Omit<PastedAddress, 'host'> | null {
  const marker = kind === 'link' ? segments.length - 1 : segments.indexOf('c');
  if (marker < 0 || marker > 1) return null;
  const [segment = '', ...trackers] = segments.slice(kind === 'link' ? marker : marker + 1);
  const code = decoded(segment);
  const appPath = marker === 1 ? (segments[0] ?? '') : null;
  if (trackers.length > 1 || !isCode(code) || (appPath !== null && !isWord(appPath))) return null;
  return { appPath, code };
}

function hostOf(text: string): string | null {
  return URL.parse(`http://${text}`)?.hostname.replace(/\.$/, '') ?? null;
}
