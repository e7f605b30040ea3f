import { DateTime } from 'luxon';
import type { Activity } from '../../src/modules/contacts/contact-activity';
import type { ConditionGroup, SegmentCondition } from '../../src/modules/segments/segment-condition';
import type { ShownContact } from './contacts';

/** A contact from the API with its activity. */
export interface KnownContact extends ShownContact {
  activity: readonly Activity[];
}

type Value = string | number | boolean | null | readonly string[];

/** Evaluates a segment's conditions naively: contact by contact, condition by condition. */
export class SegmentOracle {
  constructor(
    private readonly zone: string,
    private readonly now: Date,
  ) {}

  meets(contact: KnownContact, groups: readonly ConditionGroup[]): boolean {
    return groups.some(({ conditions }) => conditions.every((each) => this.meetsOne(contact, each)));
  }

  private meetsOne(contact: KnownContact, condition: SegmentCondition): boolean {
    const { propKey, propOp, propValue, compareKey } = condition;
    const value = this.valueOf(contact, propKey);
    switch (propOp) {
      case 'NE':
        return !this.meetsOne(contact, { ...condition, propOp: 'EQ' });
      case 'EXISTS':
        return this.isThere(contact, propKey, value);
      case 'NOT_EXISTS':
        return !this.isThere(contact, propKey, value);
      case 'IN':
        return (propValue as readonly (string | number)[]).some((each) =>
          this.meetsOne(contact, { ...condition, propOp: 'EQ', propValue: each }),
        );
      case 'CONTAINS':
        if (Array.isArray(value)) return value.includes(String(propValue));
        if (propKey === 'email') return value !== null && String(value).endsWith(String(propValue));
        return value !== null && lower(value).includes(lower(propValue as string));
      case 'STARTS_WITH':
        return value !== null && lower(value).startsWith(lower(propValue as string));
      case 'WITHIN_LAST_DAYS':
      case 'BEFORE_LAST_DAYS': {
        const at = timeOf(value);
        if (at === null) return false;
        const today = DateTime.fromJSDate(this.now, { zone: this.zone }).setZone('utc', {
          keepLocalTime: true,
        });
        const age = today.startOf('day').diff(at.startOf('day'), 'days').days;
        return propOp === 'BEFORE_LAST_DAYS' ? age >= Number(propValue) : age >= 0 && age < Number(propValue);
      }
      case 'EQ':
        if (Array.isArray(value)) return value.includes(String(propValue));
        if (!isDate(propKey)) {
          const other = compareKey === null ? (propValue as Value) : this.valueOf(contact, compareKey);
          if (compareKey !== null && (isDate(compareKey) || isNumber(compareKey))) break;
          if (isNumber(propKey)) break;
          return value !== null && other !== null && String(value) === String(other);
        }
    }
    const other = compareKey === null ? (propValue as Value) : this.valueOf(contact, compareKey);
    return this.ordered(propOp, value, other, compareKey === null && /^\d{4}-\d\d-\d\d$/.test(String(other)));
  }

  private ordered(operator: string, value: Value, other: Value, wholeDay: boolean): boolean {
    const [a, b] = [numberOf(value), numberOf(other)];
    if (a !== null && b !== null) return holds(operator, a - b);
    const [x, y] = [timeOf(value), timeOf(other)];
    if (x === null || y === null) return false;
    return holds(operator, (wholeDay ? x.startOf('day') : x).toMillis() - y.toMillis());
  }

  private isThere(contact: KnownContact, key: string, value: Value): boolean {
    const [, metric] = /^activity\.(.+)\.\w+$/.exec(key) ?? [];
    if (metric !== undefined) return contact.activity.some((each) => each.metric === metric);
    return Array.isArray(value) ? value.length > 0 : value !== null && value !== '';
  }

  /** Times are local times of the organization, represented in UTC. */
  private valueOf(contact: KnownContact, key: string): Value {
    const [, metric, part] = /^activity\.(.+)\.(\w+)$/.exec(key) ?? [];
    if (metric !== undefined) {
      const found = contact.activity.find((each) => each.metric === metric);
      if (part === 'count' || part === 'sum') return found?.[part] ?? 0;
      return found ? this.local(found[part as 'first' | 'last']) : null;
    }
    if (key.startsWith('custom.')) return contact.customFields[key.slice('custom.'.length)] ?? null;
    const value = contact[key] as Value;
    if (key === 'createdAt' || key === 'updatedAt') return this.local(new Date(String(value)));
    return Array.isArray(value) ? value.map(String) : value;
  }

  private local(at: Date): string {
    return DateTime.fromJSDate(at, { zone: this.zone }).toFormat("yyyy-MM-dd'T'HH:mm:ss");
  }
}

function isDate(key: string): boolean {
  return ['createdAt', 'updatedAt'].includes(key) || /^activity\..+\.(first|last)$/.test(key);
}

function isNumber(key: string): boolean {
  return ['id', 'pushTokenIdx'].includes(key) || /^activity\..+\.(count|sum)$/.test(key);
}

function lower(value: Value): string {
  return String(value).toLowerCase();
}

function numberOf(value: Value): number | null {
  return value !== null && /^-?\d+(\.\d+)?$/.test(String(value)) ? Number(value) : null;
}

function timeOf(value: Value): DateTime | null {
  if (!/^(?!0000)\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d)?$/.test(String(value))) return null;
  const at = DateTime.fromISO(String(value), { zone: 'utc' });
  return at.isValid ? at : null;
}

function holds(operator: string, difference: number): boolean {
  if (operator === 'EQ') return difference === 0;
  if (operator === 'GT') return difference > 0;
  if (operator === 'GTE') return difference >= 0;
  return operator === 'LT' ? difference < 0 : difference <= 0;
}
