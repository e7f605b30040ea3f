import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/time/clock';
import { Database } from '../../infrastructure/database/database';
import { isStatementTimeout } from '../../infrastructure/database/statement-timeout';
import { TRACKED_LINK_KIND, type TrackedLinkKind } from '../clicks/click';

export interface DueCheck {
  readonly kind: TrackedLinkKind;
  readonly id: number;
  readonly organizationId: number;
  readonly generation: number;
  /** Determines the time of the week; null if the link has been deleted. */
  readonly originalUrl: string | null;
  /** Start of the link's validity, if it is in the future. */
  readonly startsAt: Date | null;
  /** All destinations of the link; empty while it leads nowhere. */
  readonly urls: readonly string[];
  /** Whether the check is overdue by a week, as after checks have been disabled. */
  readonly late: boolean;
}

type Due = Pick<DueCheck, 'id' | 'organizationId' | 'generation' | 'late'> & {
  kind: number;
  isOfDeletedOrganization: boolean;
  /** Rank among the due checks of the organization, from 1. */
  turn: number;
};

type Row = Pick<DueCheck, 'id' | 'organizationId' | 'startsAt'> & {
  originalUrl: string;
  answers: boolean;
  mobileTargetUrl: string | null;
  targeting: { url: string }[] | null;
  variants: { url: string }[] | null;
};

export interface NextChecks {
  /** In turns: the first of each organization, then the second of each, and so on. */
  readonly checks: readonly DueCheck[];
  /** Whether all other due checks exceed the share of their organization. */
  readonly restIsSurplus: boolean;
}

/** Due checks, the longest overdue first. */
@Injectable()
export class DueChecksQuery {
  private readonly logger = new Logger(DueChecksQuery.name);

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** @param share maximum number of checks of an organization while others have due ones */
  async run(limit: number, share: number): Promise<NextChecks> {
    const { due, restIsSurplus } = await this.divide(limit, share);
    const [links, campaigns] = await Promise.all([this.rowsOf('link', due), this.rowsOf('campaign', due)]);
    const checks = due.map(({ kind, turn: _, isOfDeletedOrganization, ...check }): DueCheck => {
      const isLink = kind === TRACKED_LINK_KIND.link;
      const row = (isLink ? links : campaigns).get(check.id);
      const found = row?.organizationId === check.organizationId ? row : null;
      return {
        ...check,
        kind: isLink ? 'link' : 'campaign',
        originalUrl: found?.originalUrl ?? null,
        startsAt: found?.startsAt ?? null,
        urls: found?.answers && !isOfDeletedOrganization ? urlsOf(found) : [],
      };
    });
    return { checks, restIsSurplus };
  }

  /** Fills a batch. Each pass of the statement excludes organizations that have had their share. */
  private async divide(limit: number, share: number): Promise<{ due: Due[]; restIsSurplus: boolean }> {
    const shares: Due[] = [];
    const surplus: Due[] = [];
    const served = new Set<number>();
    for (;;) {
      const missing = limit - shares.length;
      const due = await this.dueExcept(served, missing);
      const exceeding = new Set(
        due.filter(({ turn }) => turn > share).map(({ organizationId }) => organizationId),
      );
      const isEverything = due.length < missing;
      if (isEverything || exceeding.size === 0) {
        const byTurns = [...shares, ...due, ...surplus].toSorted((a, b) => a.turn - b.turn);
        return { due: byTurns.slice(0, limit), restIsSurplus: isEverything };
      }
      for (const check of due.filter(({ organizationId }) => exceeding.has(organizationId))) {
        (check.turn > share ? surplus : shares).push(check);
        served.add(check.organizationId);
      }
    }
  }

  /** Scans all due checks of the excluded organizations. @returns none if the statement timeout is reached */
  private async dueExcept(excluded: ReadonlySet<number>, limit: number): Promise<Due[]> {
    try {
      return await this.database.read<Due>(DUE, [this.clock.date(), limit, [...excluded]]);
    } catch (error) {
      if (excluded.size === 0 || !isStatementTimeout(error)) throw error;
      this.logger.warn(
        `Checks of destinations wait behind those of organizations ${[...excluded].join(', ')}`,
      );
      return [];
    }
  }

  private async rowsOf(kind: TrackedLinkKind, due: readonly Due[]): Promise<Map<number, Row>> {
    const own = due.filter((check) => check.kind === TRACKED_LINK_KIND[kind]);
    if (own.length === 0) return new Map();
    const organizations = [...new Set(own.map(({ organizationId }) => organizationId))];
    const values = [this.clock.date(), organizations, own.map(({ id }) => id)];
    const rows = await this.database.read<Row>(DESTINATIONS[kind], values);
    return new Map(rows.map((row) => [row.id, row]));
  }
}

type Destinations = Pick<Row, 'originalUrl' | 'mobileTargetUrl' | 'targeting' | 'variants'>;

/** Variants replace the destination (docs/concepts/links.md#who-gets-through-and-where-to). */
function urlsOf({ originalUrl, mobileTargetUrl, targeting, variants }: Destinations): string[] {
  const all = [
    ...(variants?.map(({ url }) => url) ?? [originalUrl]),
    ...(mobileTargetUrl ? [mobileTargetUrl] : []),
    ...(targeting?.map(({ url }) => url) ?? []),
  ];
  return [...new Set(all)];
}

const destinations = (table: string) => `
  SELECT id, organization_id AS "organizationId", original_url AS "originalUrl", mobile_target_url AS "mobileTargetUrl",
         targeting, variants, CASE WHEN starts_at > $1 THEN starts_at END AS "startsAt",
         enabled AND disabled_reason IS NULL AND (expires_at IS NULL OR expires_at > $1)
           AND (starts_at IS NULL OR starts_at <= $1) AS answers
    FROM ${table}
   WHERE organization_id = ANY ($2) AND id = ANY ($3) AND deleted_at IS NULL`;

const DESTINATIONS: Readonly<Record<TrackedLinkKind, string>> = {
  link: destinations('links'),
  campaign: destinations('campaigns'),
};

const DUE = `
  SELECT due.kind, due.tracked_link_id AS id, due.organization_id AS "organizationId", due.generation,
         o.deleted_at IS NOT NULL AS "isOfDeletedOrganization", due.next_check_at < $1 - interval '7 days' AS late,
         row_number() OVER (PARTITION BY due.organization_id ORDER BY due.next_check_at) AS turn
    FROM (SELECT * FROM link_health WHERE next_check_at <= $1 AND organization_id <> ALL ($3)
           ORDER BY next_check_at LIMIT $2) AS due
    JOIN organizations AS o ON o.id = due.organization_id
   ORDER BY due.next_check_at`;
