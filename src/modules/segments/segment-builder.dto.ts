import { INT64_OR_NULL, Field } from '../../common/http/api-field';
import { NestedList } from '../../common/validation/lists';
import { PROPERTY_KINDS, type PropertyKind } from '../contacts/list/contact-properties';
import { type Operator, OPERATORS } from './segment-condition';
import { ConditionGroupFields, GROUPS } from './segments.dto';

export class CountSegmentRequest {
  @NestedList(() => ConditionGroupFields, GROUPS)
  conditionGroups!: ConditionGroupFields[];
}

export class SegmentCountResponse {
  @Field(
    'Number of contacts that meet the conditions now; null if counting takes over 3 seconds',
    1204,
    INT64_OR_NULL,
  )
  count!: number | null;
}

export const TYPE_OF = {
  text: 'TEXT',
  number: 'NUMBER',
  boolean: 'BOOLEAN',
  date: 'DATE',
  list: 'LIST',
  sealed: 'ENCRYPTED',
  custom: 'CUSTOM',
} as const satisfies Record<PropertyKind, string>;
const TYPES = PROPERTY_KINDS.map((kind) => TYPE_OF[kind]);
type PropertyType = (typeof TYPES)[number];

export class SegmentPropertyResponse {
  @Field('`propKey` of conditions', 'custom.grade')
  key!: string;

  @Field(
    'Type of the values. LIST: a contact has several. ENCRYPTED: known by equality only. CUSTOM: text that ' +
      'operators with an order compare as numbers or dates',
    'CUSTOM',
    { enum: TYPES },
  )
  type!: PropertyType;

  @Field('`propOp` that it can have', ['EQ'], { enum: OPERATORS, isArray: true })
  operators!: Operator[];

  @Field(
    'Types of the properties that `compareKey` can name, with an operator from EQ to LTE that both have; ' +
      'empty: none',
    ['CUSTOM', 'NUMBER', 'DATE', 'TEXT'],
    { enum: TYPES, isArray: true },
  )
  comparableTypes!: PropertyType[];

  @Field(
    'Known values, in order; null if they are unknown or too many. Others are accepted too',
    ['gold', 'silver'],
    { type: [String], nullable: true },
  )
  values!: string[] | null;
}
