import { ApiProperty } from '@nestjs/swagger';
import { NestedList } from '../../common/validation/lists';
import { PROPERTY_KINDS, type PropertyKind } from '../contacts/list/contact-properties';
import { type Operator, OPERATORS } from './segment-condition';
import { ConditionGroupFields, GROUPS } from './segments.dto';

export class CountSegmentRequest {
  @NestedList(() => ConditionGroupFields, GROUPS)
  conditionGroups!: ConditionGroupFields[];
}

export class SegmentCountResponse {
  @ApiProperty({
    type: 'integer',
    format: 'int64',
    nullable: true,
    description: 'Number of contacts that meet the conditions now; null if counting takes over 3 seconds',
    example: 1204,
  })
  count!: number | null;
}

const TYPE_OF = {
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

/** A property that conditions can name. */
export interface SegmentProperty {
  readonly key: string;
  readonly kind: PropertyKind;
  readonly operators: readonly Operator[];
  /** Kinds of the properties that it can be compared with. */
  readonly comparable: readonly PropertyKind[];
  readonly values: readonly string[] | null;
}

export class SegmentPropertyResponse {
  @ApiProperty({ description: '`propKey` of conditions', example: 'custom.grade' })
  key!: string;

  @ApiProperty({
    enum: TYPES,
    description:
      'Type of the values. LIST: a contact has several. ENCRYPTED: known by equality only. CUSTOM: text that ' +
      'operators with an order compare as numbers or dates',
    example: 'CUSTOM',
  })
  type!: PropertyType;

  @ApiProperty({ enum: OPERATORS, isArray: true, description: '`propOp` that it can have', example: ['EQ'] })
  operators!: Operator[];

  @ApiProperty({
    enum: TYPES,
    isArray: true,
    description:
      'Types of the properties that `compareKey` can name, with an operator from EQ to LTE that both have; ' +
      'empty: none',
    example: ['CUSTOM', 'NUMBER', 'DATE', 'TEXT'],
  })
  comparableTypes!: PropertyType[];

  @ApiProperty({
    type: [String],
    nullable: true,
    description: 'Known values, in order; null if they are unknown or too many. Others are accepted too',
    example: ['gold', 'silver'],
  })
  values!: string[] | null;
}

export function toSegmentPropertyResponse(property: SegmentProperty): SegmentPropertyResponse {
  const { key, kind, operators, comparable, values } = property;
  return {
    key,
    type: TYPE_OF[kind],
    operators: [...operators],
    comparableTypes: comparable.map((each) => TYPE_OF[each]),
    values: values && [...values],
  };
}
