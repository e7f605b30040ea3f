/** Parameter with the click's token for the app that is opened (docs/native-apps.md#the-token). */
export const APP_TOKEN_PARAMETER = 'waypost_token';

/** Parameter with the click's token for the Web SDK on the destination. */
export const SITE_TOKEN_PARAMETER = 'waypost-token';

/** Parameter with which Android returns to the link if the app is not installed. */
export const STORE_PARAMETER = 'waypost-store';

/** What QR codes append to the address, so that scans are told apart. Other values of `qr` are the customer's own. */
export const SCAN_PARAMETER = 'qr=1';

/** The channel of scans. */
export const SCANNED = 'qr';

export function isScan(query: string): boolean {
  return query.includes(SCAN_PARAMETER) && query.split('&').includes(SCAN_PARAMETER);
}

/** Request parameters of links that only Waypost uses; `cid` identifies the customer of a campaign. */
export const OWN_PARAMETERS: ReadonlySet<string> = new Set(['cid', APP_TOKEN_PARAMETER, STORE_PARAMETER]);
