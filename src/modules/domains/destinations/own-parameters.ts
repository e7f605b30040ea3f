/** Parameter that passes the token of the click to the app it opens (docs/native-apps.md#the-token). */
export const APP_TOKEN_PARAMETER = 'waypost_token';

/** Parameter that passes the token of the click to the Web SDK on the destination. */
export const SITE_TOKEN_PARAMETER = 'waypost-token';

/** Parameter with which Android returns to the link if the app is not installed. */
export const STORE_PARAMETER = 'waypost-store';

/** Parameters of a link's address that only Waypost uses; `cid` identifies the customer of a campaign. */
export const OWN_PARAMETERS: ReadonlySet<string> = new Set(['cid', APP_TOKEN_PARAMETER, STORE_PARAMETER]);
