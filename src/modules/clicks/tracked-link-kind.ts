/** What a click was on, as the tables number it. */
export const TARGET_KIND = { link: 1, campaign: 2 } as const;
export type TargetKind = keyof typeof TARGET_KIND;

/** The kind that a number of the tables means. */
export function targetKindOf(number: number): TargetKind {
  return number === TARGET_KIND.campaign ? 'campaign' : 'link';
}
