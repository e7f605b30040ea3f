import { NONE, type TargetBreakdown, type ValueFilter } from './breakdowns';
import { addTo, type ClickSums, type Periods, type StoredPart } from './click-sums';
import { addPacked, type Bucket, type IdSum, IdSums } from './packed-sums';
import { UNIT } from './period-sums.sql';
import type { ClickQuestion } from './raw-clicks.query';
import { targetNumber } from './click-values.sql';
import { type Selection, selectionOf, tagGroups } from './target-groups.query';
import type { Tx } from '../../../infrastructure/database/database';

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

const STORED_BY = {
  link: ['link'],
  campaign: ['campaign'],
  tag: ['link', 'campaign'],
} as const satisfies Record<TargetBreakdown, readonly string[]>;

/** The first id that counts: by tag, ids are numbers (`targetNumber`), of which 0 and 1 stand for all of the other kind. */
const FIRST = { link: 0, campaign: 0, tag: 2 } as const satisfies Record<TargetBreakdown, number>;

/** SQL for the columns of a `Bucket`, whose remainders are those of numbers for tags. */
function bucketOf(dimension: TargetBreakdown): string {
  if (dimension !== 'tag') return 'bucket, buckets';
  return `${targetNumber('bucket', `dimension = 'campaign'`)} AS bucket, 2 * buckets AS buckets`;
}

/** With more ids than this, nearly every bucket contains one of them. */
const FEW = 500;

/** Sums by link or campaign, or by their current tags. */
export async function targetSums(tx: Tx, asked: TargetQuestion, sums: ClickSums): Promise<ClickSums> {
  const { question, dimension, filter, part, periods } = asked;
  const selection = filter && (await selectionOf(tx, question.organizationId, filter, dimension));
  const days = selection ? await selectedDays(tx, asked, selection) : part.totals;
  for (const [day, count] of days) addTo(sums.days, day, count);
  if (question.breakdown === null) return sums;
  const byId = await idSums(tx, question, periods, dimension);
  for (const [key, count] of part.raw.values) byId.add(key === NONE ? 0 : Number(key), count);
  const listed = [...part.raw.values.values()].reduce((sum, count) => sum + count, 0);
  const selected = byId
    .pairs()
    .filter(([id, sum]) => sum > 0 && id >= FIRST[dimension] && isSelected(id, selection));
  const values = dimension === 'tag' ? await tagSums(tx, question, selected) : selected;
  sums.allValues = part.raw.allValues - listed;
  for (const [, count] of values) sums.allValues += count;
  sums.values = wantedOf(values, question.wanted);
  return sums;
}

function isSelected(id: number, selection: Selection | undefined): boolean {
  return !selection || selection.ids.has(id) !== selection.inverted;
}

async function selectedDays(
  tx: Tx,
  { question, dimension, part: { totals } }: TargetQuestion,
  { ids, inverted }: Selection,
): Promise<Map<string, number>> {
  // All but some links are the total minus those, except for visitors, who count per link or campaign.
  const subtracts = inverted && question.metric !== 'visitors';
  // Several times as fast as a Set.
  const members = new IdSums();
  for (const id of ids) members.add(id, 1);
  const added = inverted && !subtracts ? 0 : 1;
  const days = new Map(subtracts ? totals : []);
  const isFew = ids.size <= FEW && (subtracts || !inverted);
  const rows = await tx.query<PackedRow>(
    `SELECT * FROM (SELECT start AS day, ${bucketOf(dimension)}, ${question.metric} AS sums FROM click_link_sums
                     WHERE organization_id = $1 AND dimension = ANY($2) AND unit = ${UNIT.day} AND start = ANY($3::date[])) AS packed
      WHERE $4::bigint[] IS NULL OR EXISTS (SELECT FROM unnest($4::bigint[]) AS id WHERE id % buckets = bucket)`,
    [question.organizationId, STORED_BY[dimension], [...totals.keys()], isFew ? [...ids] : null],
  );
  for (const row of rows) {
    let count = 0;
    const add = (id: number, sum: number) => {
      if (members.get(id) === added && id >= FIRST[dimension]) count += sum;
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
  dimension: TargetBreakdown,
): Promise<IdSums> {
  const rows = await tx.query<PackedRow>(
    `SELECT ${bucketOf(dimension)}, ${metric} AS sums FROM click_link_sums
      WHERE organization_id = $1 AND dimension = ANY($2)
        AND (unit = ${UNIT.month} AND start = ANY($3::date[]) OR unit = ${UNIT.day} AND start = ANY($4::date[]))`,
    [organizationId, STORED_BY[dimension], months, days],
  );
  const sums = new IdSums();
  for (const row of rows) addPacked(sums, row.sums, row);
  return sums;
}

/** Sums by tag. @param sums by link and campaign, by their numbers */
async function tagSums(
  tx: Tx,
  { organizationId }: ClickQuestion,
  sums: readonly IdSum[],
): Promise<(readonly [tag: string, sum: number])[]> {
  const byId = new IdSums();
  let rest = 0;
  for (const [id, sum] of sums) {
    byId.add(id, sum);
    rest += sum;
  }
  const byTag = new Map<string, number>();
  for (const { tags, numbers } of await tagGroups(tx, organizationId)) {
    let sum = 0;
    for (const number of numbers) sum += byId.get(number);
    rest -= sum;
    if (sum > 0) for (const tag of tags) addTo(byTag, tag, sum);
  }
  if (rest > 0) addTo(byTag, NONE, rest);
  return [...byTag];
}

/** The requested values, or the largest ones. Id 0 stands for all links or campaigns of the other kind. */
function wantedOf(
  values: readonly (readonly [string | number, number])[],
  wanted: ClickQuestion['wanted'],
): Map<string, number> {
  const named = ([key, count]: readonly [string | number, number]) =>
    [key === 0 ? NONE : String(key), count] as const;
  if (typeof wanted !== 'number') {
    const all = new Map(values.map(named));
    return new Map(wanted.flatMap((key) => (all.has(key) ? [[key, all.get(key) ?? 0] as const] : [])));
  }
  const counts = Float64Array.from(values, ([, count]) => count).sort();
  const least = counts.at(-wanted) ?? 0;
  return new Map(
    values
      .filter(([, count]) => count >= least)
      .map(named)
      .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
      .slice(0, wanted),
  );
}
