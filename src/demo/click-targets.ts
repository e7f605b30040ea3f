import type { TrackedLinkKind, Utm } from '../modules/clicks/click';

/** A link or campaign that visitors click. */
export interface ClickTarget {
  readonly kind: TrackedLinkKind;
  readonly id: number;
  readonly appIds: readonly number[];
  /** From when and until when it is clicked, in milliseconds. */
  readonly from: number;
  readonly to: number;
  /** Clicks relative to other targets. */
  readonly share: number;
  /** How much more it is clicked on its first day, and for how many days that lasts. */
  readonly launch: { readonly factor: number; readonly days: number };
  readonly utm: Utm | null;
  readonly variants: readonly { readonly url: string; readonly weight: number }[];
  readonly isGlobal: boolean;
}
