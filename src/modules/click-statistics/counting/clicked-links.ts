import type { Tx } from '../../../infrastructure/database/database';

/** A clicked link or campaign, as described in webhooks. */
export interface ClickedLink {
  readonly id: number;
  /** Short code of a link, alias of a campaign. */
  readonly code: string;
  readonly originalUrl: string;
  /** Complete URL that visitors click. */
  readonly link: string;
}

/** Port to the tracked links of one kind. Implementations are passed to ClickCountingModule.with. */
abstract class ClickedTrackedLinks {
  /** Includes deleted ones. */
  abstract find(tx: Tx, organizationIds: readonly number[], ids: readonly number[]): Promise<ClickedLink[]>;
}

export abstract class ClickedLinks extends ClickedTrackedLinks {}
export abstract class ClickedCampaigns extends ClickedTrackedLinks {}
