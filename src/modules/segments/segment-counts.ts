import { Injectable } from '@nestjs/common';
import type { Caller, CallerOrganization } from '../../access/caller';
import { KeyedMutex } from '../../common/keyed-mutex';
import { Clock } from '../../common/time/clock';
import { Database, type Tx } from '../../infrastructure/database/database';
import { isStatementTimeout } from '../../infrastructure/database/statement-timeout';
import { ContactSelections } from '../contacts/list/contact-selection';
import type { ConditionGroup } from './segment-condition';
import { checkedGroups } from './segment-condition-check';
import { localDay, matchingSql, PLANNER } from './segment-filter';
import type { ConditionGroupFields } from './segments.dto';

/** Counts contacts while a segment is being built (docs/concepts/segments.md#building-a-segment). */
@Injectable()
export class SegmentCounts {
  /** Time limit of a count, shortened by tests. */
  timeoutMs = 3_000;
  /** Serializes an organization's counts within the process, so that waiting ones hold no connection. */
  private readonly mutex = new KeyedMutex();

  constructor(
    private readonly selections: ContactSelections,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** @returns null if counting takes too long @throws ValidationFailed */
  async count({ organization }: Caller, fields: readonly ConditionGroupFields[]): Promise<number | null> {
    const groups = checkedGroups(fields, organization);
    return this.mutex.run(String(organization.id), async () => {
      const count = (tx: Tx) => this.countWithin(tx, organization, groups);
      // With an Idempotency-Key, the count is part of the transaction that stores the response.
      return this.database.current
        ? this.database.write(count)
        : this.database.report(organization.id, count);
    });
  }

  private async countWithin(
    tx: Tx,
    organization: CallerOrganization,
    groups: readonly ConditionGroup[],
  ): Promise<number | null> {
    const selection = this.selections.of(organization);
    const matching = matchingSql(selection, groups, localDay(this.clock.date(), organization.timeZone));
    try {
      return await tx.attempt(async () => {
        await tx.query(`${PLANNER}; SET LOCAL statement_timeout = ${this.timeoutMs}`);
        const [row] = await tx.query<{ count: number }>(
          `SELECT count(*) AS count FROM (${matching}) AS matching`,
          selection.parameters,
        );
        return row?.count ?? 0;
      });
    } catch (error) {
      if (isStatementTimeout(error)) return null;
      throw error;
    }
  }
}
