import type { TargetKind } from '../clicks/tracked-link-kind';
import type { TargetPlace } from './tracked-link-places';

/** The complete address, under the namespace of the app that it is tied to (docs/concepts/links.md#addresses). */
export function targetAddress(kind: TargetKind, code: string, place: TargetPlace): string {
  const origin = place.domainName === null ? place.shortUrlBase : `https://${place.domainName}`;
  const namespace = place.appPath === null ? '' : `/${place.appPath}`;
  return `${origin}${namespace}${kind === 'campaign' ? '/c' : ''}/${code}`;
}
