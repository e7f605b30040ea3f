import type { TrackedLinkKind } from '../clicks/click';
import type { TrackedLinkPlace } from './tracked-link-places';

/** The complete address, under the namespace of the app that it is tied to (docs/concepts/links.md#addresses). */
export function trackedLinkAddress(kind: TrackedLinkKind, code: string, place: TrackedLinkPlace): string {
  const origin = place.domainName === null ? place.shortUrlBase : `https://${place.domainName}`;
  const namespace = place.appPath === null ? '' : `/${place.appPath}`;
  return `${origin}${namespace}${kind === 'campaign' ? '/c' : ''}/${code}`;
}
