import { trackedLinkAddress } from '../tracked-links/tracked-link-address';
import type { TrackedLinkPlace } from '../tracked-links/tracked-link-places';

/** The field `shortUrl`: the complete URL on the default domain, only the code on a custom one. */
export function shortUrl(code: string, place: TrackedLinkPlace): string {
  return place.domainName === null ? trackedLinkAddress('link', code, place) : code;
}
