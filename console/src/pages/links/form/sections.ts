import { SWITCHES, UTM_FIELDS } from './shared-values';

/** Fields of the form sections common to links and campaigns. */
export const SECTION_FIELDS = {
  utm: UTM_FIELDS,
  card: ['ogTitle', 'ogDescription', 'ogImageUrl'],
  life: [
    ...['startsAt', 'notStartedUrl', 'expirationDate', 'expiresAt', 'expiredUrl'],
    ...['maxClicks', 'password', 'removePassword'],
  ],
  destinations: ['targeting', 'variants'],
  apps: ['iosAppId', 'iosDeepLinkPath', 'androidAppId', 'androidDeepLinkPath', 'mobileTargetUrl', 'goalType'],
  other: [...SWITCHES, 'appendClickId', 'externalId'],
} as const;
