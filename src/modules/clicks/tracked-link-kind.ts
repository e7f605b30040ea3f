/** What a click was on, as the tables number it. */
export const TRACKED_LINK_KIND = { link: 1, campaign: 2 } as const;
export type TrackedLinkKind = keyof typeof TRACKED_LINK_KIND;

/** The kind that a number of the tables means. */
export function trackedLinkKindOf(number: number): TrackedLinkKind {
  return number === TRACKED_LINK_KIND.campaign ? 'campaign' : 'link';
}
