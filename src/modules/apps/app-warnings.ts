import type { App } from './app.entity';

/** Stable codes of missing settings, and their consequences for the app's links. */
const MEANINGS = {
  NO_APP_PAGE:
    'Without scheme and storeUrl there is nothing to open: its links lead phones to their destination',
  NO_UNIVERSAL_LINKS: 'Without teamId, links never open the app as Universal Links',
  NO_APP_LINKS: 'Without sha256CertFingerprints, links never open the app as App Links',
} as const;

export type WarningCode = keyof typeof MEANINGS;
export const WARNING_CODES = Object.keys(MEANINGS) as WarningCode[];

/** Missing optional settings without which links cannot open the app. */
export function warningsOf({
  platform,
  scheme,
  storeUrl,
  teamId,
  sha256CertFingerprints,
}: App): { code: WarningCode; message: string }[] {
  const lacks: Record<WarningCode, boolean> = {
    NO_APP_PAGE: platform !== 'Web' && !scheme && !storeUrl,
    NO_UNIVERSAL_LINKS: platform === 'iOS' && !teamId,
    NO_APP_LINKS: platform === 'Android' && sha256CertFingerprints.length === 0,
  };
  return WARNING_CODES.filter((code) => lacks[code]).map((code) => ({ code, message: MEANINGS[code] }));
}
