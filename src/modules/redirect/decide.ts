import type { Destination } from '../domains/destinations/destination';
import type { Target } from './tracked-link';
import type { Visitor } from './visitor';

/** How a link or campaign answers (4-decisions §6, "Decision order"). */
export type Decision = 'NOT_FOUND' | 'DISABLED' | 'EXPIRED' | 'PREVIEW' | 'APP' | 'AD' | 'REDIRECT';

/** What a decision depends on, of a target that was found. */
export type Decidable = Pick<
  Target,
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
export function decide(target: Decidable | null, visitor: Visitor, now: number): Decision {
  if (!target) return 'NOT_FOUND';
  if (target.disabled) return 'DISABLED';
  if (target.expiresAt !== null && target.expiresAt <= now) return 'EXPIRED';
  if (visitor.isPreview && (target.ogTitle ?? target.ogDescription ?? target.ogImageUrl)) return 'PREVIEW';
  if (visitor.isBot) return 'REDIRECT';
  if (appIdOf(target, visitor) !== null) return 'APP';
  return target.showAdPage ? 'AD' : 'REDIRECT';
}

/** The linked app of the visitor's platform. */
export function appIdOf(target: Decidable, { platform }: Visitor): number | null {
  if (platform === null) return null;
  return platform === 'iOS' ? target.iosAppId : target.androidAppId;
}

/** Where the visitor goes in the end: people on phones to the address for phones. */
export function destinationFor(target: Decidable, visitor: Visitor): Destination {
  if (visitor.platform === null || visitor.isBot) return target.destination;
  return target.mobileDestination ?? target.destination;
}

/** The same target once its apps have turned out to be of no use. */
export function withoutApps(target: Decidable): Decidable {
  return { ...target, iosAppId: null, androidAppId: null };
}
