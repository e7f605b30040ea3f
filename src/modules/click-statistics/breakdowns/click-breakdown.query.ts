import { Injectable } from '@nestjs/common';
import { Database, type Tx } from '../../../infrastructure/database/database';
import { type ClickSums, noSums } from './click-sums';
import { dayRuns } from './day-runs';
import { DomainError } from '../../../common/errors/domain-error';
import { UNIT } from './period-sums.sql';
import { type ClickQuestion, MORE_MEMORY, type RawQuestion, sumClicks } from './raw-clicks.query';
import { addStored, isStoredQuestion, storedDays } from './stored-sums.query';

export interface BreakdownQuestion extends ClickQuestion {
  /** Days of the organization in order, `YYYY-MM-DD`. */
  days: readonly string[];
  /** When the organization's time zone was last changed; null: never. */
  timeZoneChangedAt: Date | null;
}

/** Maximum number of clicks that a query reads. */
const MAX_CLICKS = 5_000_000;
/** Values of days without stored sums that are read; the rest counts as `(other)`. */
const MAX_RAW_VALUES = 100_000;

/** Clicks of an organization by day, hour and dimension (docs/concepts/statistics.md#clicks-by-dimension). */
@Injectable()
export class ClickBreakdownQuery {
  constructor(private readonly database: Database) {}

  /** Answers several questions from one snapshot. */
  read<T>(
    organizationId: number,
    work: (ask: (question: BreakdownQuestion) => Promise<ClickSums>) => Promise<T>,
  ): Promise<T> {
    return this.database.report(organizationId, async (tx) => {
      await tx.query(MORE_MEMORY);
      return work((question) => this.answer(tx, question));
    });
  }

  private async answer(tx: Tx, question: BreakdownQuestion): Promise<ClickSums> {
    const totals = isStoredQuestion(question)
      ? await storedDays(tx, question, question.days)
      : new Map<string, number>();
    if (totals.size === 0) return this.fromClicks(tx, question, question.days);
    const others = question.days.filter((day) => !totals.has(day));
    // The sums of a tag are those of its links and campaigns.
    const breakdown = question.breakdown === 'tag' ? 'target' : question.breakdown;
    const raw = await this.fromClicks(tx, { ...question, wanted: MAX_RAW_VALUES }, others, breakdown);
    return addStored(tx, question, { totals, raw });
  }

  /** @throws RANGE_TOO_LARGE */
  private async fromClicks(
    tx: Tx,
    question: BreakdownQuestion,
    days: readonly string[],
    breakdown: RawQuestion['breakdown'] = question.breakdown,
  ): Promise<ClickSums> {
    if (days.length === 0) return noSums();
    const { organizationId, timeZone, timeZoneChangedAt } = question;
    const [row] = await tx.query<{ clicks: number }>(CLICKS, [organizationId, days]);
    const clicks = row?.clicks ?? 0;
    if (clicks > MAX_CLICKS) throw tooLarge(clicks, days.length, !isStoredQuestion(question));
    return sumClicks(tx, { ...question, breakdown }, dayRuns(days, timeZone, timeZoneChangedAt));
  }
}

// Includes clicks of bots, whose number on a day without sums is unknown.
const CLICKS = `
  SELECT coalesce(sum(coalesce(s.clicks + s.bots, r.clicks)), 0)::bigint AS clicks
    FROM unnest($2::date[]) AS asked (day)
    LEFT JOIN click_sums s ON s.organization_id = $1 AND s.unit = ${UNIT.day} AND s.start = asked.day AND s.claim IS NULL
    LEFT JOIN LATERAL (SELECT sum(link_clicks + campaign_clicks) AS clicks FROM visitor_rollups
                        WHERE organization_id = $1 AND app_id = 0 AND day = asked.day) AS r ON s.start IS NULL`;

/**
 * The figures need more clicks than a query may read (docs/concepts/statistics.md#crossed-filters).
 * @param isCrossed whether fewer filters would help, because stored sums have the figures without them
 */
function tooLarge(clicks: number, asked: number, isCrossed: boolean): DomainError {
  // The longest range that fits, judging by the average day.
  const days = Math.max(1, Math.floor((asked * MAX_CLICKS) / clicks));
  const range = days === 1 ? '1 day' : `${days} days`;
  return new DomainError(
    'RANGE_TOO_LARGE',
    `The range has ${clicks} clicks${isCrossed ? '' : ' on days without sums of these figures'}, of which a query reads ` +
      `at most ${MAX_CLICKS}: ask for ${range}${isCrossed ? ', or with fewer filters' : ''}`,
  );
}
