/** What a click was on, as the tables number it. */
export const TARGET_KIND = { link: 1, campaign: 2 } as const;
export type TargetKind = keyof typeof TARGET_KIND;
