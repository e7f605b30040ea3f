/** What the address of a link is made of, beside its code. */
export interface LinkPlace {
  /** Origin of the default short domain. */
  shortUrlBase: string;
  /** Null on the default domain. */
  domainName: string | null;
  /** Namespace of the linked app; null without one. */
  appPath: string | null;
}

/** The address that people use (4-decisions §5): it names the app's namespace when the link is tied to an app. */
export function completeUrl(code: string, place: LinkPlace): string {
  const origin = place.domainName === null ? place.shortUrlBase : `https://${place.domainName}`;
  return place.appPath === null ? `${origin}/${code}` : `${origin}/${place.appPath}/${code}`;
}

/** The field `shortUrl`: the complete address, but on a custom domain the code alone (doc 1 §2). */
export function shortUrl(code: string, place: LinkPlace): string {
  return place.domainName === null ? completeUrl(code, place) : code;
}
