/** Parameter by which an app gets the token of the click that opened it (docs/native-apps.md#the-token). */
export const APP_TOKEN_PARAMETER = 'waypost_token';

/** Parameter by which the Web SDK on a site gets the token of the click that led there. */
export const SITE_TOKEN_PARAMETER = 'waypost-token';

/** Parameter of a link's own address, by which Android comes back when it has not found the app. */
export const STORE_PARAMETER = 'waypost-store';

/** Parameters of a link's address that are for Waypost alone; `cid` names the customer of a campaign. */
export const OWN_PARAMETERS: ReadonlySet<string> = new Set(['cid', APP_TOKEN_PARAMETER, STORE_PARAMETER]);
