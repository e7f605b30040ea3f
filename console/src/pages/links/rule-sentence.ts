import type { Schemas } from '../../api/client';
import { countryName, formatAny, languageName, weekdayName } from '../../texts/format';
import type { Translate } from '../../texts/texts';
import { ruleTexts } from './rule-texts';

export type RuleTexts = Translate<NonNullable<(typeof ruleTexts)['key']>>;
type Condition = Schemas['TargetingConditionResponse'];
export type SaidRule = Pick<Schemas['TargetingRuleResponse'], 'countries' | 'devices' | 'os' | 'conditions'>;

export const WEEKDAYS = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'];
const SUBJECTS = {
  country: 'ofCountry',
  region: 'ofRegion',
  city: 'ofCity',
  device: 'ofDevice',
  os: 'ofOs',
  language: 'ofLanguage',
  query: 'ofQuery',
  weekday: 'ofTime',
  time: 'ofTime',
} as const satisfies Record<Condition['property'], string>;

interface Clause {
  subject: string;
  values: string;
  negated: boolean;
}

/** A rule as a sentence: "If the language is Korean and it is Monday to Friday, 09:00–18:00 in Asia/Seoul". */
export function ruleSentence(rule: SaidRule, t: RuleTexts): string {
  const clauses = clausesOf(rule, t).map(({ subject, values, negated }, index, { length }) => {
    const form = `${negated ? 'isNot' : 'is'}${index < length - 1 ? 'And' : ''}` as const;
    return t(form, { subject, values, particle: subjectParticle(values) });
  });
  return t('sentence', { clauses: clauses.join(t('and')) });
}

function clausesOf({ countries, devices, os, conditions }: SaidRule, t: RuleTexts): Clause[] {
  const listed = (property: Condition['property'], values: string[]): Condition[] =>
    values.length > 0 ? [{ property, operator: 'ONE_OF', values, parameter: null, timeZone: null }] : [];
  const all = [
    ...listed('country', countries),
    ...listed('device', devices),
    ...listed('os', os),
    ...conditions.filter(({ values }) => values.length > 0),
  ];
  const clauses: Clause[] = [];
  for (let i = 0; i < all.length; i++) {
    const [one, next] = [all[i], all[i + 1]];
    if (!one) continue;
    if (next && isDayAndTime(one, next)) {
      const when = t('dayAndTime', { days: wordsOf(one, t), times: wordsOf(next, t) });
      clauses.push({ subject: t('ofTime'), values: zoned(when, one, t), negated: false });
      i++;
    } else clauses.push(clauseOf(one, t));
  }
  return clauses;
}

function isDayAndTime(one: Condition, next: Condition): boolean {
  const isPair = one.property === 'weekday' && next.property === 'time';
  return isPair && one.timeZone === next.timeZone && ![one, next].some(isNegated);
}

function isNegated({ operator }: Condition): boolean {
  return operator === 'IS_NOT';
}

function clauseOf(condition: Condition, t: RuleTexts): Clause {
  const subject = t(SUBJECTS[condition.property], { parameter: condition.parameter ?? '' });
  return { subject, values: zoned(wordsOf(condition, t), condition, t), negated: isNegated(condition) };
}

function zoned(when: string, { timeZone }: Condition, t: RuleTexts): string {
  return timeZone ? t('zoned', { when, timeZone }) : when;
}

function wordsOf({ property, values }: Condition, t: RuleTexts): string {
  if (property === 'weekday') return daysOf(values, t);
  return formatAny(
    values.map((value) => {
      if (property === 'country') return countryName(value);
      if (property === 'language') return languageName(value);
      if (property === 'device' && (value === 'Mobile' || value === 'Desktop' || value === 'Tablet'))
        return t(value);
      if (property === 'query') return `“${value}”`;
      if (property !== 'time') return value;
      const [from = '', to = ''] = value.split('-');
      return t('range', { from, to });
    }),
  );
}

/** Runs of three days and more are shown by their ends. */
function daysOf(values: readonly string[], t: RuleTexts): string {
  const runs: number[][] = [];
  for (const [day, name] of WEEKDAYS.entries()) {
    if (!values.includes(name)) continue;
    const last = runs.at(-1);
    if (last?.at(-1) === day - 1) last.push(day);
    else runs.push([day]);
  }
  const words = runs.flatMap((run) => {
    const names = run.map(weekdayName);
    const [first = '', last = ''] = [names[0], names.at(-1)];
    return run.length > 2 ? [t('days', { first, last })] : names;
  });
  return formatAny(words);
}

const FIRST_SYLLABLE = 0xac00;
const LAST_SYLLABLE = 0xd7a3;
const FINALS = 28;

/** The Korean particle of a subject: 이 after a final consonant, 가 after a vowel, both after other letters. */
function subjectParticle(text: string): string {
  const code = text.charCodeAt(text.length - 1);
  if (code < FIRST_SYLLABLE || code > LAST_SYLLABLE) return '이(가)';
  return (code - FIRST_SYLLABLE) % FINALS > 0 ? '이' : '가';
}
