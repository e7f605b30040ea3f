import type { Tx } from '../../../infrastructure/database/tx';
import { NONE, type TargetBreakdown, type ValueFilter } from './breakdowns';
import { addTo, type ClickSums, type Periods, type StoredPart } from './click-sums';
import { addPacked, type Bucket, IdSums } from './packed-sums';
import { UNIT } from './period-sums.sql';
import type { ClickQuestion } from './raw-clicks.query';
import { type Selection, selectionOf, tagGroups } from './target-groups.query';

interface TargetQuestion {
  question: ClickQuestion;
  dimension: TargetBreakdown;
  filter: ValueFilter | undefined;
  part: StoredPart;
  periods: Periods;
}

interface PackedRow extends Bucket {
  day: string;
  sums: Buffer;
}

/** More ids than that are likely to be in every bucket. */
const FEW = 500;

/** Sums by link or campaign, and by the tags that links have now. */
export async function targetSums(tx: Tx, asked: TargetQuestion, sums: ClickSums): Promise<ClickSums> {
  const { question, dimension, filter, part, periods } = asked;
  const selection = filter && (await selectionOf(tx, question.organizationId, filter, dimension));
  const days = selection ? await selectedDays(tx, asked, selection) : part.totals;
  for (const [day, count] of days) addTo(sums.days, day, count);
  if (question.breakdown === null) return sums;
  const byId = await idSums(tx, question, periods, kindOf(dimension));
  const values = await valuesOf(tx, question, dimension, byId, selection);
  for (const [value, count] of part.raw.values) addTo(values, value, count);
  const listed = [...part.raw.values.values()].reduce((sum, count) => sum + count, 0);
  sums.allValues = part.raw.allValues - listed;
  for (const count of values.values()) sums.allValues += count;
  sums.values = wantedOf(values, question.wanted);
  return sums;
}

function kindOf(dimension: TargetBreakdown): 'link' | 'campaign' {
  return dimension === 'campaign' ? 'campaign' : 'link';
}

/** The metric by day of the selected links. */
async function selectedDays(
  tx: Tx,
  { question, dimension, part: { totals } }: TargetQuestion,
  { ids, inverted }: Selection,
): Promise<Map<string, number>> {
  // Unless people count for each link, all but some links are the total less those.
  const subtracts = inverted && question.metric !== 'visitors';
  const added = (id: number) => ids.has(id) !== (inverted && !subtracts);
  const days = new Map(subtracts ? totals : []);
  const isFew = ids.size <= FEW && (subtracts || !inverted);
  const rows = await tx.query<PackedRow>(
    `SELECT start AS day, bucket, buckets, ${question.metric} AS sums FROM click_link_sums
      WHERE organization_id = $1 AND dimension = $2 AND unit = ${UNIT.day} AND start = ANY($3::date[])
        AND ($4::bigint[] IS NULL OR EXISTS (SELECT FROM unnest($4::bigint[]) AS id WHERE id % buckets = bucket))`,
    [question.organizationId, kindOf(dimension), [...totals.keys()], isFew ? [...ids] : null],
  );
  for (const row of rows) {
    let count = 0;
    const add = (id: number, sum: number) => {
      if (added(id)) count += sum;
    };
    addPacked({ add }, row.sums, row);
    if (count > 0) addTo(days, row.day, subtracts ? -count : count);
  }
  return days;
}

async function idSums(
  tx: Tx,
  { organizationId, metric }: ClickQuestion,
  { months, days }: Periods,
  kind: 'link' | 'campaign',
): Promise<IdSums> {
  const rows = await tx.query<PackedRow>(
    `SELECT bucket, buckets, ${metric} AS sums FROM click_link_sums
      WHERE organization_id = $1 AND dimension = $2
        AND (unit = ${UNIT.month} AND start = ANY($3::date[]) OR unit = ${UNIT.day} AND start = ANY($4::date[]))`,
    [organizationId, kind, months, days],
  );
  const sums = new IdSums();
  for (const row of rows) addPacked(sums, row.sums, row);
  return sums;
}

/** Sums by value of the selected links. Id 0 stands for the clicks on all of the other kind. */
async function valuesOf(
  tx: Tx,
  { organizationId }: ClickQuestion,
  dimension: TargetBreakdown,
  byId: IdSums,
  selection: Selection | undefined,
): Promise<Map<string, number>> {
  const isSelected = (id: number) => !selection || selection.ids.has(id) !== selection.inverted;
  const values = new Map<string, number>();
  if (dimension !== 'tag') {
    for (const [id, sum] of byId.entries()) {
      if (sum > 0 && isSelected(id)) addTo(values, id === 0 ? NONE : String(id), sum);
    }
    return values;
  }
  let rest = 0;
  for (const [id, sum] of byId.entries()) if (isSelected(id)) rest += sum;
  for (const { tags, ids } of await tagGroups(tx, organizationId)) {
    let sum = 0;
    for (const id of ids) if (isSelected(id)) sum += byId.get(id);
    rest -= sum;
    if (sum > 0) for (const tag of tags) addTo(values, tag, sum);
  }
  if (rest > 0) addTo(values, NONE, rest);
  return values;
}

/** The wanted values, or the largest. */
function wantedOf(values: ReadonlyMap<string, number>, wanted: ClickQuestion['wanted']): Map<string, number> {
  if (typeof wanted !== 'number') {
    return new Map(wanted.flatMap((key) => (values.has(key) ? [[key, values.get(key) ?? 0] as const] : [])));
  }
  const counts = Float64Array.from(values.values()).sort();
  const least = counts.at(-wanted) ?? 0;
  return new Map(
    [...values]
      .filter(([, count]) => count >= least)
      .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
      .slice(0, wanted),
  );
}
