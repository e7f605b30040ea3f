import { DateTime } from 'luxon';
import { type ContactProperty, contactProperty } from '../contacts/list/contact-properties';
import type { ContactSelection } from '../contacts/list/contact-selection';
import {
  booleanOf,
  type ConditionGroup,
  daysOf,
  type LocalTime,
  localTimeOf,
  numberOf,
  type Operator,
  type OrderOperator,
  type ScalarValue,
  type SegmentCondition,
} from './segment-condition';
import { domainOf } from './segment-condition-check';

/** Settings for `matchingSql`, because the planner underestimates the matches and would choose nested loops. */
export const PLANNER = `SET LOCAL work_mem = '64MB'; SET LOCAL enable_nestloop = off`;

/** The day in a time zone, `YYYY-MM-DD`. */
export function localDay(moment: Date, zone: string): string {
  return DateTime.fromJSDate(moment, { zone }).toISODate() ?? '';
}

/**
 * SQL for the `id` of every contact that meets all conditions of at least one group; values become parameters. The
 * conditions must have been validated.
 */
export function matchingSql(
  selection: ContactSelection,
  groups: readonly ConditionGroup[],
  today: string,
): string {
  const filter = new SegmentFilter(selection, today);
  const any = groups
    .map(({ conditions }) => `(${conditions.map((each) => filter.condition(each)).join(' AND ')})`)
    .join(' OR ');
  return selection.ids(any);
}

const SIGNS: Readonly<Record<Exclude<OrderOperator, 'NE'>, string>> = {
  EQ: '=',
  GT: '>',
  GTE: '>=',
  LT: '<',
  LTE: '<=',
};

class SegmentFilter {
  constructor(
    private readonly selection: ContactSelection,
    /** In the organization's time zone, `YYYY-MM-DD`. */
    private readonly today: string,
  ) {}

  /** A contact without the property meets NE and NOT_EXISTS. Counts and sums default to 0 instead. */
  condition({ propKey, propOp, propValue, compareKey }: SegmentCondition): string {
    const property = known(propKey);
    if (propOp === 'NE') return not(this.condition({ propKey, propOp: 'EQ', propValue, compareKey }));
    if (propOp === 'EXISTS') return `(${this.selection.has(property)})`;
    if (propOp === 'NOT_EXISTS') return not(this.selection.has(property));
    if (compareKey !== null) return this.comparison(property, propOp, known(compareKey));
    const given = propValue ?? [];
    return this.test(property, propOp, (Array.isArray(given) ? given : [given]) as readonly ScalarValue[]);
  }

  private test(property: ContactProperty, operator: Operator, values: readonly ScalarValue[]): string {
    const [first = ''] = values;
    const { selection } = this;
    if (operator === 'WITHIN_LAST_DAYS' || operator === 'BEFORE_LAST_DAYS') {
      return this.age(property, operator, daysOf(first) ?? 0);
    }
    switch (property.kind) {
      case 'list':
        return selection.listHas(property, values.map(String));
      case 'sealed':
        return operator === 'CONTAINS'
          ? selection.hasDomain(domainOf(first) ?? '')
          : selection.sealedIn(property, values.map(String));
      case 'boolean':
        return `${selection.value(property)} = ${selection.bind(booleanOf(first))}::boolean`;
      case 'number':
        return this.number(selection.value(property), operator, values);
      case 'date':
        return this.time(this.selection.value(property), operator, timeOf(first));
      case 'custom':
        return this.custom(property, operator, values);
      case 'text':
        return this.text(selection.value(property), operator, values);
    }
  }

  /** Compares as text, except that operators that need an order compare as numbers or times. */
  private custom(property: ContactProperty, operator: Operator, values: readonly ScalarValue[]): string {
    const [first = ''] = values;
    const text = this.selection.value(property);
    if (!isStrictOrder(operator)) return this.text(text, operator, values);
    return numberOf(first) === null
      ? this.time(asTime(text), operator, timeOf(first))
      : this.number(asNumber(text), operator, values);
  }

  /** Case-sensitive, except for CONTAINS and STARTS_WITH. */
  private text(sql: string, operator: Operator, values: readonly ScalarValue[]): string {
    const [first = ''] = values;
    const part = () => `lower(${this.selection.bind(String(first))}::text)`;
    if (operator === 'CONTAINS') return `strpos(lower(${sql}), ${part()}) > 0`;
    if (operator === 'STARTS_WITH') return `starts_with(lower(${sql}), ${part()})`;
    return `${sql} = ANY (${this.selection.bind(values.map(String))}::text[])`;
  }

  private number(sql: string, operator: Operator, values: readonly ScalarValue[]): string {
    const numbers = values.map(numberOf);
    if (operator === 'IN') return `${sql} = ANY (${this.selection.bind(numbers)}::numeric[])`;
    return `${sql} ${sign(operator)} ${this.selection.bind(numbers[0])}::numeric`;
  }

  /** A date means the whole day, so that later times start on the next day. */
  private time(sql: string, operator: Operator, { text, precision }: LocalTime): string {
    const bound = this.selection.bind(text);
    return precision === 'day'
      ? `(${sql})::date ${sign(operator)} ${bound}::date`
      : `date_trunc('second', ${sql}) ${sign(operator)} ${bound}::timestamp`;
  }

  /**
   * The last n days include today; BEFORE_LAST_DAYS matches any earlier day. Contacts without the date match neither.
   */
  private age(property: ContactProperty, operator: Operator, days: number): string {
    const value = this.selection.value(property);
    const day = `(${property.kind === 'custom' ? asTime(value) : value})::date`;
    const today = `${this.selection.bind(this.today)}::date`;
    const first = `${today} - ${this.selection.bind(days)}::integer`;
    return operator === 'BEFORE_LAST_DAYS'
      ? `${day} <= ${first}`
      : // A single BETWEEN, because two comparisons would each compute the day.
        `datemultirange(daterange(${first}, ${today}, '(]')) @> ${day}`;
  }

  /**
   * Compares as numbers if either property is a number, as times if either is a time, and two custom fields as
   * whichever both are.
   */
  private comparison(left: ContactProperty, operator: Operator, right: ContactProperty): string {
    const [a, b] = [this.selection.value(left), this.selection.value(right)];
    const as = (read: (text: string) => string) => {
      const [readA, readB] = [left.kind === 'custom' ? read(a) : a, right.kind === 'custom' ? read(b) : b];
      return `${readA} ${sign(operator)} ${readB}`;
    };
    const kinds = [left.kind, right.kind];
    if (kinds.includes('number')) return as(asNumber);
    if (kinds.includes('date')) return as(asTime);
    return operator === 'EQ' ? `${a} = ${b}` : `(${as(asNumber)} OR ${as(asTime)})`;
  }
}

function known(key: string): ContactProperty {
  const property = contactProperty(key);
  if (!property) throw new Error('A segment condition has an unknown property');
  return property;
}

function timeOf(value: ScalarValue): LocalTime {
  const time = localTimeOf(value);
  if (!time) throw new Error('A segment condition compares a date with another type');
  return time;
}

function isStrictOrder(operator: Operator): boolean {
  return ['GT', 'GTE', 'LT', 'LTE'].includes(operator);
}

function sign(operator: Operator): string {
  return SIGNS[operator as keyof typeof SIGNS];
}

/** Also true if the condition is null. */
function not(condition: string): string {
  return `((${condition}) IS NOT TRUE)`;
}

/** Casts text to a number; null if it is not one. */
function asNumber(text: string): string {
  return String.raw`CASE WHEN ${text} COLLATE "C" ~ '^-?\d{1,20}(\.\d{1,20})?$' THEN ${text}::numeric END`;
}

/**
 * Casts text to a time in the formats of docs/concepts/segments.md#dates-in-conditions, or null. `translate` checks the
 * digits in half the time of a regular expression. Each part is compared as text, because Postgres 15 cannot try a
 * cast, and accepts 24:00 and a 60th second.
 */
function asTime(text: string): string {
  const part = (from: number) => `substr(${text}, ${from}, 2) COLLATE "C"`;
  const [month, day, hour, minute, second] = [6, 9, 12, 15, 18].map(part);
  return `CASE WHEN translate(${text}, '012345678', '999999999') IN ('9999-99-99', '9999-99-99T99:99:99')
                AND ${text} COLLATE "C" >= '1000' AND ${month} BETWEEN '01' AND '12' AND ${day} >= '01'
                AND ${hour} < '24' AND ${minute} < '60' AND ${second} < '60'
               THEN CASE WHEN ${day} <= ${lastDay(text)} THEN ${text}::timestamp END END`;
}

/** The last day of the month in text that starts with a year and a month. */
function lastDay(text: string): string {
  const month = `substr(${text}, 6, 2)`;
  const [century, year] = [`substr(${text}, 1, 2)`, `substr(${text}, 3, 2)`];
  return `(CASE WHEN ${month} IN ('04', '06', '09', '11') THEN '30' WHEN ${month} <> '02' THEN '31'
                WHEN (CASE WHEN ${year} = '00' THEN ${century} ELSE ${year} END)::int % 4 = 0 THEN '29'
                ELSE '28' END)`;
}
