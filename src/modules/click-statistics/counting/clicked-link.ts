import type { Tx } from '../../../infrastructure/database/tx';

/** What is told of a link or campaign that was clicked. */
export interface ClickedLink {
  readonly id: number;
  /** A link's code, a campaign's alias. */
  readonly code: string;
  readonly originalUrl: string;
  /** Its complete address. */
  readonly link: string;
}

/** Where tracked links of one kind are kept. Whoever composes the counting says which module provides it. */
abstract class ClickedTrackedLinks {
  /** Those of these ids, deleted ones too. */
  abstract find(tx: Tx, ids: readonly number[]): Promise<ClickedLink[]>;
}

export abstract class ClickedLinks extends ClickedTrackedLinks {}
export abstract class ClickedCampaigns extends ClickedTrackedLinks {}
