import { Inject, Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { DateTime } from 'luxon';
import type { Logger } from 'pino';
import type { CallerOrganization } from '../../access/caller';
import { OrganizationCache } from '../../access/organizations/organization-cache';
import { NotFound } from '../../common/errors/errors';
import { LOGGER } from '../../common/logging/logger';
import { Clock } from '../../common/time/clock';
import { KeyedMutex } from '../../common/keyed-mutex';
import { ContactSelections } from '../contacts/list/contact-selection';
import type { Segment } from './segment';
import { localDay, matchingSql, PLANNER } from './segment-filter';
import { type ActiveSegment, SegmentsRepository } from './segments.repository';
import { Database, type Tx } from '../../infrastructure/database/database';
import { OncePerSchedule } from '../../infrastructure/schedule/once-per-schedule';

/** Local hour of the daily evaluation (docs/concepts/segments.md#evaluation). */
const HOUR = 3;

@Injectable()
export class SegmentEvaluations {
  /** Serializes an organization's evaluations within the process, so that waiting ones hold no connection. */
  private readonly mutex = new KeyedMutex();

  constructor(
    private readonly rows: SegmentsRepository,
    private readonly selections: ContactSelections,
    private readonly organizations: OrganizationCache,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly schedule: OncePerSchedule,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Evaluates a segment on demand; concurrent evaluations run one after the other. @throws NotFound */
  onDemand(organization: CallerOrganization, id: number): Promise<void> {
    return this.mutex.run(String(organization.id), async () => {
      await this.database.write(async (tx) => {
        const segment = await this.rows.lock(tx, organization.id, id);
        await this.evaluate(tx, organization, segment, 'used');
      });
    });
  }

  /** Every quarter of an hour, which includes three o'clock in every time zone. */
  @Cron('*/15 * * * *', { timeZone: 'UTC' })
  daily(): Promise<boolean> {
    return this.schedule.run('segments.evaluate', 900, () => this.evaluateDue());
  }

  /** Evaluates every active segment that has not been evaluated since its organization's last three o'clock. */
  private async evaluateDue(): Promise<void> {
    const active = await this.rows.active();
    for (const segment of active) {
      try {
        await this.evaluateIfDue(segment);
      } catch (error) {
        // Continues with the other segments; the next run retries this one.
        const { organizationId, id } = segment;
        this.logger.error({ err: error, organizationId, segmentId: id }, 'segment not evaluated');
      }
    }
  }

  private async evaluateIfDue({ organizationId, id, since }: ActiveSegment): Promise<void> {
    const organization = (await this.organizations.get(organizationId))?.organization;
    if (!organization || since >= this.lastTurn(organization)) return;
    await this.database
      .write(async (tx) => {
        const segment = await this.rows.lock(tx, organizationId, id);
        await this.evaluate(tx, organization, segment);
      })
      .catch((error: unknown) => {
        if (!(error instanceof NotFound)) throw error;
      });
    await this.database.wrote(organizationId);
  }

  /** Writes only the difference to the stored members, so that unchanged ones cost nothing. */
  private async evaluate(
    tx: Tx,
    organization: CallerOrganization,
    { id, conditionGroups }: Segment,
    used?: 'used',
  ): Promise<void> {
    const now = this.clock.date();
    const selection = this.selections.of(organization);
    const matching = matchingSql(selection, conditionGroups, localDay(now, organization.timeZone));
    const segment = selection.bind(id);
    const at = selection.bind(now);
    const usedAt = used ? `${at}::timestamptz` : 'last_used_at';
    await tx.query(PLANNER);
    await tx.slow(evaluationSql(matching, segment, { at, usedAt }), selection.parameters);
  }

  /** The most recent occurrence of HOUR in the organization's time zone. */
  private lastTurn({ timeZone: zone }: CallerOrganization): Date {
    const now = DateTime.fromMillis(this.clock.now(), { zone });
    const today = now.startOf('day').set({ hour: HOUR });
    return (today <= now ? today : now.minus({ days: 1 }).startOf('day').set({ hour: HOUR })).toJSDate();
  }
}

function evaluationSql(
  matching: string,
  segment: string,
  { at, usedAt }: { at: string; usedAt: string },
): string {
  return `
    WITH matching AS MATERIALIZED (${matching}), gone AS (
      DELETE FROM segment_members AS m
       WHERE m.organization_id = $1 AND m.segment_id = ${segment}::bigint
         AND NOT EXISTS (SELECT FROM matching WHERE id = m.contact_id)
    ), come AS (
      INSERT INTO segment_members (organization_id, segment_id, contact_id)
      SELECT $1, ${segment}::bigint, id FROM matching
       WHERE NOT EXISTS (SELECT FROM segment_members AS m
                          WHERE m.organization_id = $1 AND m.segment_id = ${segment}::bigint AND m.contact_id = id)
       ORDER BY id
    )
    UPDATE segments
       SET member_count = (SELECT count(*) FROM matching), last_evaluated_at = ${at}::timestamptz, last_used_at = ${usedAt}
     WHERE organization_id = $1 AND id = ${segment}::bigint`;
}
