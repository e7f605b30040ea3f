import type { App } from './app.entity';

/** What an app lacks, by a stable code, and what that means for its links. */
const MEANINGS = {
  NO_APP_PAGE:
    'Without scheme and storeUrl there is nothing to open: its links lead phones to their destination',
  NO_UNIVERSAL_LINKS: 'Without teamId no link of this service opens the app as a Universal Link',
  NO_APP_LINKS: 'Without sha256CertFingerprints no link of this service opens the app as an App Link',
} as const;

export const WARNING_CODES = Object.keys(MEANINGS) as (keyof typeof MEANINGS)[];

export interface AppWarning {
  code: keyof typeof MEANINGS;
  message: string;
}

/** What keeps the links of an app from opening it. Such an app is complete as far as the API asks. */
export function warningsOf({
  platform,
  scheme,
  storeUrl,
  teamId,
  sha256CertFingerprints,
}: App): AppWarning[] {
  const lacks: Record<keyof typeof MEANINGS, boolean> = {
    NO_APP_PAGE: platform !== 'Web' && !scheme && !storeUrl,
    NO_UNIVERSAL_LINKS: platform === 'iOS' && !teamId,
    NO_APP_LINKS: platform === 'Android' && sha256CertFingerprints.length === 0,
  };
  return WARNING_CODES.filter((code) => lacks[code]).map((code) => ({ code, message: MEANINGS[code] }));
}
