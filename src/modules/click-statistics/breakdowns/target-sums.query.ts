import type { Tx } from '../../../infrastructure/database/tx';
import { DEFAULT_DOMAIN, NONE, type TargetBreakdown, type ValueFilter } from './breakdowns';
import { addTo, type ClickSums, type Periods, type StoredPart } from './click-sums';
import { addPacked, type Bucket, IdSums } from './packed-sums';
import { UNIT } from './period-sums.sql';
import type { ClickQuestion } from './raw-clicks.query';
import {
  type Kind,
  type Selection,
  selectionOf,
  type TargetGroup,
  targetGroups,
} from './target-groups.query';

interface TargetQuestion {
  question: ClickQuestion;
  dimension: TargetBreakdown;
  filter: ValueFilter | undefined;
  part: StoredPart;
  periods: Periods;
}

interface PackedRow extends Bucket {
  day: string;
  dimension: Kind;
  sums: Buffer;
}

/** More ids than that are likely to be in every bucket. */
const FEW = 500;

/** Sums by link and campaign, and by what links have: tags and domains, as they are now. */
export async function targetSums(tx: Tx, asked: TargetQuestion, sums: ClickSums): Promise<ClickSums> {
  const { question, dimension, filter, part, periods } = asked;
  const selection = filter && (await selectionOf(tx, question.organizationId, filter, dimension));
  const days = selection ? await selectedDays(tx, asked, selection) : part.totals;
  for (const [day, count] of days) addTo(sums.days, day, count);
  if (question.breakdown === null) return sums;
  const byId = await idSums(tx, question, periods, kindsOf(dimension));
  const values = await valuesOf(tx, question, dimension, byId, selection);
  for (const [value, count] of part.raw.values) addTo(values, value, count);
  const listed = [...part.raw.values.values()].reduce((sum, count) => sum + count, 0);
  sums.allValues = part.raw.allValues - listed;
  for (const count of values.values()) sums.allValues += count;
  sums.values = wantedOf(values, question.wanted);
  return sums;
}

function kindsOf(dimension: TargetBreakdown): Kind[] {
  if (dimension === 'domain') return ['link', 'campaign'];
  return [dimension === 'campaign' ? 'campaign' : 'link'];
}

/** The metric by day of the selected links. */
async function selectedDays(
  tx: Tx,
  { question, dimension, part: { totals } }: TargetQuestion,
  selection: Selection,
): Promise<Map<string, number>> {
  const days = new Map(selection.inverted ? totals : []);
  const sign = selection.inverted ? -1 : 1;
  for (const kind of kindsOf(dimension)) {
    const ids = selection[kind];
    if (ids.size === 0) continue;
    const rows = await tx.query<PackedRow>(
      `SELECT start AS day, bucket, buckets, ${question.metric} AS sums FROM click_link_sums
        WHERE organization_id = $1 AND dimension = $2 AND unit = ${UNIT.day} AND start = ANY($3::date[])
          AND ($4::bigint[] IS NULL OR EXISTS (SELECT FROM unnest($4::bigint[]) AS id WHERE id % buckets = bucket))`,
      [question.organizationId, kind, [...totals.keys()], ids.size > FEW ? null : [...ids]],
    );
    for (const row of rows) {
      let count = 0;
      const add = (id: number, sum: number) => {
        if (ids.has(id)) count += sum;
      };
      addPacked({ add }, row.sums, row);
      if (count > 0) addTo(days, row.day, sign * count);
    }
  }
  return days;
}

type IdSumsOfKinds = Partial<Record<Kind, IdSums>>;

async function idSums(
  tx: Tx,
  { organizationId, metric }: ClickQuestion,
  { months, days }: Periods,
  kinds: readonly Kind[],
): Promise<IdSumsOfKinds> {
  const rows = await tx.query<PackedRow>(
    `SELECT dimension, bucket, buckets, ${metric} AS sums FROM click_link_sums
      WHERE organization_id = $1 AND dimension = ANY($2::text[])
        AND (unit = ${UNIT.month} AND start = ANY($3::date[]) OR unit = ${UNIT.day} AND start = ANY($4::date[]))`,
    [organizationId, kinds, months, days],
  );
  const sums: IdSumsOfKinds = {};
  for (const kind of kinds) sums[kind] = new IdSums();
  for (const row of rows) addPacked(sums[row.dimension] ?? new IdSums(), row.sums, row);
  return sums;
}

/** Sums by value of the selected links. Id 0 stands for the clicks on all of the other kind. */
async function valuesOf(
  tx: Tx,
  { organizationId }: ClickQuestion,
  dimension: TargetBreakdown,
  byId: IdSumsOfKinds,
  selection: Selection | undefined,
): Promise<Map<string, number>> {
  const isSelected = (kind: Kind, id: number) => !selection || selection[kind].has(id) !== selection.inverted;
  const values = new Map<string, number>();
  if (dimension === 'link' || dimension === 'campaign') {
    for (const [id, sum] of byId[dimension]?.entries() ?? []) {
      if (sum > 0 && isSelected(dimension, id)) addTo(values, id === 0 ? NONE : String(id), sum);
    }
    return values;
  }
  let rest = 0;
  for (const [kind, sums] of Object.entries(byId) as [Kind, IdSums][]) {
    for (const [id, sum] of sums.entries()) if (isOwn(dimension, id) && isSelected(kind, id)) rest += sum;
  }
  for (const { kind, values: groups, ids } of await targetGroups(tx, organizationId, dimension)) {
    const sum = sumOf(byId[kind], ids, (id) => isSelected(kind, id));
    rest -= sum;
    if (sum > 0) for (const value of groups) addTo(values, value, sum);
  }
  if (rest > 0) addTo(values, dimension === 'tag' ? NONE : DEFAULT_DOMAIN, rest);
  return values;
}

/** Domains are those of links and campaigns by their ids; campaigns have no tags. */
function isOwn(dimension: TargetBreakdown, id: number): boolean {
  return dimension === 'tag' || id !== 0;
}

function sumOf(
  sums: IdSums | undefined,
  ids: TargetGroup['ids'],
  isSelected: (id: number) => boolean,
): number {
  let total = 0;
  if (sums) for (const id of ids) if (isSelected(id)) total += sums.get(id);
  return total;
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
