import { TEXTS, INTEGER, Field, listOf, TEXT_OR_NULL } from '../../../common/http/api-field';
import { TimeZoneName } from '../../../access/organizations/organization.atoms';
import { REGIONS } from '../../../access/organizations/regions';
import { DestinationUrl, Int, OneOf, Text } from '../../../common/validation/atoms';
import { NestedList, TextList, WordList } from '../../../common/validation/lists';
import { type Condition, type Operator, OPERATORS, PROPERTIES, type Property } from './conditions';
import type { TargetingRule, Variant } from './routing';

export const MAX_RULES = 20;
export const MAX_VARIANTS = 10;
/** Device types, as named in statistics. */
export const DEVICES: ReadonlySet<string> = new Set(['Mobile', 'Desktop', 'Tablet']);
export const COUNTRY = 'must be an ISO 3166-1 alpha-2 code such as KR';
const optional = true;

const MAX_CONDITIONS = 10;
const PROPERTY = 'What is asked about the visitor';
const OPERATOR = 'IS: has the value; IS_NOT: has none of the values; ONE_OF: has one of the values';
const VALUES =
  'By property: countries (ISO 3166-1 alpha-2), regions (ISO 3166-2, `KR-11`), names of cities in English, devices and ' +
  'systems as in `devices` and `os`, language tags (`ko`, `pt-BR`), values of the query parameter, weekdays (`MON` … ' +
  '`SUN`), times of day (`09:00-18:00`, without the end; `22:00-06:00` is over midnight). Letter case is ignored in ' +
  'cities, systems and languages. IS has one value';
const PARAMETER = 'Name of the query parameter; for `query` only';
const TIME_ZONE = 'IANA time zone; for `weekday` and `time` only';

export class TargetingConditionFields {
  @OneOf(PROPERTIES, { description: PROPERTY, example: 'language' })
  property!: Property;

  @OneOf(OPERATORS, { description: OPERATOR, example: 'ONE_OF' })
  operator!: Operator;

  @TextList({ min: 1, max: 100, length: 200, description: VALUES, example: ['ko', 'ja'] })
  values!: string[];

  @Text({ max: 100, description: PARAMETER, example: null, optional })
  parameter?: string | null;

  @TimeZoneName({ description: TIME_ZONE, example: null, optional })
  timeZone?: string | null;
}

/** Matches visitors who meet every supplied condition. A condition is met by any of its values. */
export class TargetingRuleFields {
  @WordList(REGIONS, {
    max: 250,
    problem: COUNTRY,
    description: 'Countries of visitors, ISO 3166-1 alpha-2',
    example: ['KR', 'JP'],
    optional,
  })
  countries?: string[] | null;

  @WordList(DEVICES, { max: 3, description: 'Device types', example: ['Mobile'], optional })
  devices?: string[] | null;

  @TextList({
    max: 20,
    length: 50,
    description:
      'Operating systems as named in statistics: iOS, Android, Windows, Mac OS (or macOS), Linux …; letter case is ' +
      'ignored',
    example: ['iOS'],
    optional,
  })
  os?: string[] | null;

  @NestedList(() => TargetingConditionFields, {
    max: MAX_CONDITIONS,
    description: 'Further conditions, all of which must be met',
    optional,
  })
  conditions?: TargetingConditionFields[] | null;

  @DestinationUrl({
    max: 1000,
    description: 'Destination of matching visitors, subject to the rules for destinations',
    example: 'https://shop.example.com/kr',
  })
  url!: string;
}

export class VariantFields {
  @DestinationUrl({
    max: 1000,
    description: 'Destination of this variant, subject to the rules for destinations',
    example: 'https://shop.example.com/a',
  })
  url!: string;

  @Int({
    min: 1,
    max: 1000,
    description: 'Share of visitors, relative to the sum of all weights',
    example: 50,
  })
  weight!: number;
}

const values = (description: string, example: string[]) =>
  Field(`${description}; empty: any`, example, TEXTS);

export class TargetingConditionResponse implements Condition {
  @Field(PROPERTY, 'language', { enum: PROPERTIES })
  property!: Property;

  @Field(OPERATOR, 'ONE_OF', { enum: OPERATORS })
  operator!: Operator;

  @Field(VALUES, ['ko', 'ja'], TEXTS)
  values!: string[];

  @Field(PARAMETER, null, TEXT_OR_NULL)
  parameter!: string | null;

  @Field(TIME_ZONE, null, TEXT_OR_NULL)
  timeZone!: string | null;
}

export class TargetingRuleResponse implements TargetingRule {
  @values('Countries, ISO 3166-1 alpha-2', ['KR', 'JP'])
  countries!: string[];

  @values('Device types', ['Mobile'])
  devices!: string[];

  @values('Operating systems', ['iOS'])
  os!: string[];

  @Field('Further conditions, all of which must be met', undefined, listOf(TargetingConditionResponse))
  conditions!: TargetingConditionResponse[];

  @Field('Destination of matching visitors', 'https://shop.example.com/kr')
  url!: string;
}

export class VariantResponse implements Variant {
  @Field('Destination of this variant', 'https://shop.example.com/a')
  url!: string;

  @Field('Share of visitors, relative to the sum of all weights', 50, INTEGER)
  weight!: number;
}
