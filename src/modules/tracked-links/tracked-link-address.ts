import { codeSegment } from '../domains/codes';
import type { TrackedLinkKind } from '../clicks/click';
import type { TrackedLinkPlace } from './tracked-link-places';

/** The complete URL, under the linked app's namespace if there is one (docs/concepts/links.md#addresses). */
export function trackedLinkAddress(kind: TrackedLinkKind, code: string, place: TrackedLinkPlace): string {
  const origin = place.domainName === null ? place.shortUrlBase : `https://${place.domainName}`;
  const namespace = place.appPath === null ? '' : `/${place.appPath}`;
  return `${origin}${namespace}${kind === 'campaign' ? '/c' : ''}/${codeSegment(code)}`;
}
