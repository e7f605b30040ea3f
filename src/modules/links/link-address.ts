import { targetAddress } from '../tracked-links/tracked-link-address';
import type { TargetPlace } from '../tracked-links/tracked-link-places';

/** The field `shortUrl`: the complete address, but on a custom domain the code alone. */
export function shortUrl(code: string, place: TargetPlace): string {
  return place.domainName === null ? targetAddress('link', code, place) : code;
}
