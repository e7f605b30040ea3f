import type { TargetPlace } from '../targets/target-places';

/** The address that people use (4-decisions §5): it names the app's namespace when the link is tied to an app. */
export function completeUrl(code: string, place: TargetPlace): string {
  const origin = place.domainName === null ? place.shortUrlBase : `https://${place.domainName}`;
  return place.appPath === null ? `${origin}/${code}` : `${origin}/${place.appPath}/${code}`;
}

/** The field `shortUrl`: the complete address, but on a custom domain the code alone (doc 1 §2). */
export function shortUrl(code: string, place: TargetPlace): string {
  return place.domainName === null ? completeUrl(code, place) : code;
}
