import type { Destination } from '../domains/destinations/destination';
import type { TrackedLink } from './tracked-link';
import type { Visitor } from '../clicks/user-agent';

/** How a link or campaign answers (docs/concepts/redirects.md#decision-order, "Decision order"). */
export type Decision = 'NOT_FOUND' | 'DISABLED' | 'EXPIRED' | 'PREVIEW' | 'APP' | 'AD' | 'REDIRECT';

/** What a decision depends on, of a tracked link that was found. */
export type Decidable = Pick<
  TrackedLink,
  | 'disabled'
  | 'expiresAt'
  | 'ogTitle'
  | 'ogDescription'
  | 'ogImageUrl'
  | 'iosAppId'
  | 'androidAppId'
  | 'showAdPage'
  | 'destination'
  | 'mobileDestination'
>;

/** Decides on nothing but its arguments. @param now milliseconds since the epoch */
export function decide(trackedLink: Decidable | null, visitor: Visitor, now: number): Decision {
  if (!trackedLink) return 'NOT_FOUND';
  if (trackedLink.disabled) return 'DISABLED';
  if (trackedLink.expiresAt !== null && trackedLink.expiresAt <= now) return 'EXPIRED';
  if (visitor.isPreview && (trackedLink.ogTitle ?? trackedLink.ogDescription ?? trackedLink.ogImageUrl))
    return 'PREVIEW';
  if (visitor.isBot) return 'REDIRECT';
  if (appIdOf(trackedLink, visitor) !== null) return 'APP';
  return trackedLink.showAdPage ? 'AD' : 'REDIRECT';
}

/** The linked app of the visitor's platform. */
export function appIdOf(trackedLink: Decidable, { platform }: Visitor): number | null {
  if (platform === null) return null;
  return platform === 'iOS' ? trackedLink.iosAppId : trackedLink.androidAppId;
}

/** Where the visitor goes in the end: people on phones to the address for phones. */
export function destinationFor(trackedLink: Decidable, visitor: Visitor): Destination {
  if (visitor.platform === null || visitor.isBot) return trackedLink.destination;
  return trackedLink.mobileDestination ?? trackedLink.destination;
}

/** The same tracked link once its apps have turned out to be of no use. */
export function withoutApps(trackedLink: Decidable): Decidable {
  return { ...trackedLink, iosAppId: null, androidAppId: null };
}
