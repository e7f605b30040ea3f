import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/time/clock';
import { Database, type Tx } from '../../infrastructure/database/database';
import { TRACKED_LINK_KIND } from '../clicks/click';
import type { HealthProblem } from '../tracked-links/health/tracked-link-health';
import { TrackedLinkEvents } from '../tracked-links/tracked-link-events';
import type { DueCheck } from './due-checks.query';

const KINDS = ['link', 'campaign'] as const;

/** Results of checks and times of the next ones. */
@Injectable()
export class HealthRecords {
  constructor(
    private readonly database: Database,
    private readonly events: TrackedLinkEvents,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores the result of checks, unless destinations have changed since, and adds events for links that became
   * unhealthy.
   * @param checks with the same destinations
   */
  async judge(checks: readonly DueCheck[], problem: HealthProblem | null): Promise<void> {
    const now = this.clock.date();
    const organizations = byOrganization(checks);
    if (problem === null) {
      await this.database.execute(SUCCESS, [...keysOf(checks), now, checks[0]?.originalUrl]);
    } else await this.fail(organizations, problem, now);
    await Promise.all(organizations.map(([organizationId]) => this.database.wrote(organizationId)));
  }

  private async fail(
    organizations: readonly (readonly [organizationId: number, own: DueCheck[]])[],
    problem: HealthProblem,
    now: Date,
  ): Promise<void> {
    await this.database.write(async (tx) => {
      // In order of ids, to avoid deadlocks.
      for (const [organizationId, own] of organizations) {
        const failed = await tx.query<Failed>(FAILURE, [...keysOf(own), now, problem, organizationId]);
        await this.report(
          tx,
          organizationId,
          failed.filter(({ fell }) => fell),
        );
      }
    });
  }

  /**
   * Postpones checks of destinations that cannot be requested now to their time of the week, or to the link's start.
   */
  async postpone(checks: readonly DueCheck[]): Promise<void> {
    const urls = checks.map(({ originalUrl }) => originalUrl);
    const starts = checks.map(({ startsAt }) => startsAt);
    if (checks.length > 0) {
      await this.database.execute(POSTPONEMENT, [...keysOf(checks), this.clock.date(), urls, starts]);
    }
  }

  async requeue(checks: readonly DueCheck[]): Promise<void> {
    if (checks.length > 0) {
      await this.database.execute(REQUEUE, [...keysOf(checks), this.clock.date()]);
    }
  }

  /** Deletes rows of links that no longer exist. */
  async forget(checks: readonly DueCheck[]): Promise<void> {
    if (checks.length > 0) await this.database.execute(REMOVAL, keysOf(checks));
  }

  private async report(tx: Tx, organizationId: number, fallen: readonly Failed[]): Promise<void> {
    for (const kind of KINDS) {
      const links = fallen.flatMap((each) =>
        each.kind === TRACKED_LINK_KIND[kind] ? [{ id: each.id, organizationId }] : [],
      );
      if (links.length > 0) await this.events.add(tx, kind, 'unhealthy', links);
    }
  }
}

interface Failed {
  kind: number;
  id: number;
  /** Whether this failure made the link unhealthy. */
  fell: boolean;
}

function byOrganization(checks: readonly DueCheck[]): [organizationId: number, own: DueCheck[]][] {
  const groups = new Map<number, DueCheck[]>();
  for (const check of checks) {
    groups.set(check.organizationId, [...(groups.get(check.organizationId) ?? []), check]);
  }
  return [...groups].toSorted(([a], [b]) => a - b);
}

/** The parameters $1 to $4 of SAME. */
function keysOf(checks: readonly DueCheck[]): unknown[] {
  return [
    checks.map(({ kind }) => TRACKED_LINK_KIND[kind]),
    checks.map(({ id }) => id),
    checks.map(({ generation }) => generation),
    checks.map(({ organizationId }) => organizationId),
  ];
}

/** Rows whose destinations have not changed since the check. */
const SAME = `
  unnest($1::smallint[], $2::bigint[], $3::integer[], $4::bigint[]) AS c (kind, id, generation, organization)
  WHERE h.organization_id = ANY ($4) AND h.organization_id = c.organization
    AND h.kind = c.kind AND h.tracked_link_id = c.id AND h.generation = c.generation`;

const SUCCESS = `
  UPDATE link_health AS h
     SET status = 'healthy', problem = NULL, unhealthy_since = NULL, failed_at = '{}', checked_at = $5,
         next_check_at = link_health_slot($6, $5::timestamptz + interval '12 hours')
    FROM ${SAME}`;

/** Stores the failed checks of one organization, which is `$7`. */
const FAILURE = `
  WITH failed AS MATERIALIZED (
    SELECT * FROM (
      SELECT h.kind, h.tracked_link_id, h.status AS before,
             array_append(ARRAY(SELECT at FROM unnest(h.failed_at) AS at WHERE at > $5::timestamptz - interval '3 days'), $5)
               AS failed_at
        FROM link_health AS h, ${SAME} AND h.organization_id = $7
       ORDER BY h.kind, h.tracked_link_id FOR UPDATE OF h) AS locked
  )
  UPDATE link_health AS h
     SET status = CASE WHEN cardinality(failed.failed_at) >= 3 THEN 'unhealthy' ELSE h.status END,
         unhealthy_since = CASE WHEN cardinality(failed.failed_at) >= 3 AND failed.before <> 'unhealthy'
                                THEN $5 ELSE h.unhealthy_since END,
         problem = $6, failed_at = failed.failed_at, checked_at = $5, next_check_at = $5::timestamptz + interval '1 day'
    FROM failed
   WHERE h.organization_id = $7 AND h.kind = failed.kind AND h.tracked_link_id = failed.tracked_link_id
  RETURNING h.kind, h.tracked_link_id AS id,
            h.status = 'unhealthy' AND failed.before <> 'unhealthy' AS fell`;

const POSTPONEMENT = `
  WITH c AS MATERIALIZED (
    SELECT kind, id, generation, organization,
           least(link_health_slot(url, $5::timestamptz + interval '12 hours'), starts_at) AS next_check_at
      FROM unnest($1::smallint[], $2::bigint[], $3::integer[], $4::bigint[], $6::text[], $7::timestamptz[])
        AS c (kind, id, generation, organization, url, starts_at)
  )
  UPDATE link_health AS h SET next_check_at = c.next_check_at FROM c
   WHERE h.organization_id = ANY ($4) AND h.organization_id = c.organization
     AND h.kind = c.kind AND h.tracked_link_id = c.id AND h.generation = c.generation`;

const REQUEUE = `UPDATE link_health AS h SET next_check_at = $5::timestamptz + interval '1 minute' FROM ${SAME}`;

const REMOVAL = `DELETE FROM link_health AS h USING ${SAME}`;
