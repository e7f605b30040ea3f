import { Injectable } from '@nestjs/common';
import { Database, type Tx } from '../../../infrastructure/database/database';
import { TRACKED_LINK_KIND, type TrackedLinkKind } from '../../clicks/click';

export const BOT_CHOICES = ['exclude', 'include', 'only'] as const;
export type BotChoice = (typeof BOT_CHOICES)[number];

export interface LoggedClick {
  id: number;
  clickedAt: Date;
  /** A value of TRACKED_LINK_KIND. */
  kind: number;
  trackedLinkId: number;
  dimensions: string[];
  customId: string | null;
  isBot: boolean;
}

export type ClickPosition = Pick<LoggedClick, 'clickedAt' | 'id'>;

export interface ClickSelection {
  organizationId: number;
  kind: TrackedLinkKind;
  trackedLinkId: number;
  bots: BotChoice;
  from: Date;
}

export const CLICK_COLUMNS = `
  id, clicked_at AS "clickedAt", kind, tracked_link_id AS "trackedLinkId", dimensions,
  custom_id AS "customId", is_bot AS "isBot"`;

/** Reads individual clicks, newest first. */
@Injectable()
export class ClickLogQuery {
  constructor(private readonly database: Database) {}

  async find(tx: Tx, organizationId: number, { clickedAt, id }: ClickPosition): Promise<LoggedClick | null> {
    const [click] = await tx.query<LoggedClick>(FIND, [organizationId, clickedAt, id]);
    return click ?? null;
  }

  /** @param before exclusive */
  read(selection: ClickSelection, before: ClickPosition, limit: number): Promise<LoggedClick[]> {
    const { organizationId, kind, trackedLinkId, bots, from } = selection;
    return this.database.reportRows<LoggedClick>(organizationId, STATEMENTS[bots], [
      TRACKED_LINK_KIND[kind],
      trackedLinkId,
      organizationId,
      from,
      before.clickedAt,
      before.id,
      limit,
    ]);
  }
}

const FIND = `SELECT ${CLICK_COLUMNS} FROM clicks WHERE organization_id = $1 AND clicked_at = $2 AND id = $3`;

// Compares `clicked_at` alone as well, because the comparison of the pair does not exclude partitions.
const clicksOf = (isBot: boolean) => `
  SELECT ${CLICK_COLUMNS} FROM clicks
   WHERE kind = $1 AND tracked_link_id = $2 AND is_bot = ${isBot} AND organization_id = $3
     AND clicked_at >= $4 AND clicked_at <= $5 AND (clicked_at, id) < ($5, $6)
   ORDER BY clicked_at DESC, id DESC LIMIT $7`;

// Reads the index twice in order, because `is_bot` precedes the time in it.
const STATEMENTS: Readonly<Record<BotChoice, string>> = {
  exclude: clicksOf(false),
  only: clicksOf(true),
  include: `
    SELECT * FROM ((${clicksOf(false)}) UNION ALL (${clicksOf(true)})) AS both_kinds
     ORDER BY "clickedAt" DESC, id DESC LIMIT $7`,
};
