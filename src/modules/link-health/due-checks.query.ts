import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/time/clock';
import { Database } from '../../infrastructure/database/database';
import { TRACKED_LINK_KIND, type TrackedLinkKind } from '../clicks/click';

/** A check that is due. */
export interface DueCheck {
  readonly kind: TrackedLinkKind;
  readonly id: number;
  readonly organizationId: number;
  readonly generation: number;
  /** Decides the time of the week; null when the link has been deleted. */
  readonly originalUrl: string | null;
  /** When it begins to answer, if that is still to come. */
  readonly startsAt: Date | null;
  /** Every address that the link may lead to; empty while it leads nowhere. */
  readonly urls: readonly string[];
  /** Whether it has been due for over a week, as after checks were off. */
  readonly late: boolean;
}

type Row = Omit<DueCheck, 'kind' | 'urls'> & {
  kind: number;
  answers: boolean;
  mobileTargetUrl: string | null;
  targeting: { url: string }[] | null;
  variants: { url: string }[] | null;
};

/** Checks that are due, longest due first. */
@Injectable()
export class DueChecksQuery {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async run(limit: number): Promise<DueCheck[]> {
    const rows = await this.database.read<Row>(SQL, [this.clock.date(), limit]);
    return rows.map(({ kind, answers, mobileTargetUrl, targeting, variants, ...row }) => ({
      ...row,
      kind: kind === TRACKED_LINK_KIND.link ? 'link' : 'campaign',
      urls: answers ? urlsOf({ ...row, mobileTargetUrl, targeting, variants }) : [],
    }));
  }
}

type Destinations = Pick<Row, 'originalUrl' | 'mobileTargetUrl' | 'targeting' | 'variants'>;

/** Variants replace the destination (docs/concepts/links.md#who-gets-through-and-where-to). */
function urlsOf({ originalUrl, mobileTargetUrl, targeting, variants }: Destinations): string[] {
  const all = [
    ...(variants?.map(({ url }) => url) ?? (originalUrl ? [originalUrl] : [])),
    ...(mobileTargetUrl ? [mobileTargetUrl] : []),
    ...(targeting?.map(({ url }) => url) ?? []),
  ];
  return [...new Set(all)];
}

/** @param own columns that only links have */
const destinations = (table: string, own: string) => `
  SELECT organization_id, original_url, mobile_target_url, ${own},
         CASE WHEN starts_at > $1 THEN starts_at END AS starts_at,
         enabled AND disabled_reason IS NULL AND (expires_at IS NULL OR expires_at > $1)
           AND (starts_at IS NULL OR starts_at <= $1) AS answers
    FROM ${table}
   WHERE organization_id = due.organization_id AND id = due.target_id AND deleted_at IS NULL`;

const SQL = `
  SELECT due.target_kind AS kind, due.target_id AS id, due.organization_id AS "organizationId", due.generation,
         l.original_url AS "originalUrl", l.mobile_target_url AS "mobileTargetUrl", l.targeting, l.variants, l.starts_at AS "startsAt",
         coalesce(l.answers AND o.deleted_at IS NULL, false) AS answers, due.next_check_at < $1 - interval '7 days' AS late
    FROM (SELECT * FROM link_health WHERE next_check_at <= $1 ORDER BY next_check_at LIMIT $2) AS due
    JOIN organizations AS o ON o.id = due.organization_id
    LEFT JOIN LATERAL (
      ${destinations('links', 'targeting, variants')} AND due.target_kind = ${TRACKED_LINK_KIND.link}
      UNION ALL
      ${destinations('campaigns', 'NULL, NULL')} AND due.target_kind = ${TRACKED_LINK_KIND.campaign}
    ) AS l ON true
   ORDER BY due.next_check_at`;
