import { DateTime } from 'luxon';
import { DATE_TIME_OR_NULL, INT64, INTEGER, TEXT_OR_NULL, listOf, Field } from '../../common/http/api-field';
import { pageOf } from '../../common/pagination/page';
import { Bool, OneOf, PathId, QueryInt, Text } from '../../common/validation/atoms';
import { OnlyKnownNames } from '../../common/validation/known-names';
import { NestedList } from '../../common/validation/lists';
import type { Segment, SegmentSummary } from './segment';
import { type ConditionValue, type Operator, OPERATORS } from './segment-condition';
import { conditionText } from './segment-text';
import { PropertyValue, VALUE_SCHEMA } from './segments.atoms';

const KEY =
  'A contact field (`name`, `tags`, `smsOptIn`, `optedOut.sms`, `createdAt` …), `custom.<key>`, or ' +
  '`activity.<metric>.first`, `.last`, `.count` or `.sum`';
const OP =
  'Operators by property: text EQ, NE, CONTAINS, STARTS_WITH and IN; numbers EQ to LTE and IN; dates EQ ' +
  'to LTE, WITHIN_LAST_DAYS and BEFORE_LAST_DAYS; consents and opt-outs EQ and NE; tags and groupIds ' +
  'EQ, NE, CONTAINS and IN; phoneNumber EQ, NE and IN; email also CONTAINS with `@` and a whole domain; ' +
  'custom fields all of them, compared as numbers or dates by operators that need an order. EXISTS and ' +
  'NOT_EXISTS apply to all except consents and opt-outs. NE also matches contacts without the property; ' +
  'CONTAINS and STARTS_WITH ignore case';
const VALUE =
  'Value to compare with: an array for IN, a number of days for WITHIN_LAST_DAYS (including today) and ' +
  'BEFORE_LAST_DAYS, omitted for EXISTS and NOT_EXISTS. Dates are `YYYY-MM-DD`, meaning the whole day, ' +
  "or `YYYY-MM-DDTHH:mm:ss`, in the organization's time zone";
const COMPARE = 'Another property to compare with instead of propValue; for EQ to LTE';

export class SegmentConditionFields {
  @Text({ max: 300, description: KEY, example: 'activity.purchase.sum' })
  propKey!: string;

  @OneOf(OPERATORS, { description: OP, example: 'GTE' })
  propOp!: Operator;

  @PropertyValue({ optional: true, description: VALUE, example: 100_000 })
  propValue?: ConditionValue | null;

  @Text({ min: 1, max: 300, optional: true, description: COMPARE, example: null })
  compareKey?: string | null;
}

export class ConditionGroupFields {
  @NestedList(() => SegmentConditionFields, {
    min: 1,
    max: 20,
    description: 'Conditions, all of which must be met',
  })
  conditions!: SegmentConditionFields[];
}

export const GROUPS = {
  min: 1,
  max: 20,
  description: 'Groups of conditions, at least one of which must be met',
  example: [{ conditions: [{ propKey: 'activity.purchase.sum', propOp: 'GTE', propValue: 100_000 }] }],
};

const PURPOSE = {
  max: 500,
  optional: true,
  description: 'Purpose of the segment',
  example: 'Invited to the private sale',
};

export class CreateSegmentRequest {
  @Text({ max: 100, description: 'Name', example: 'Big spenders' })
  name!: string;

  @Text(PURPOSE)
  description?: string | null;

  @Bool({ default: true, description: 'Whether it is evaluated daily', example: true })
  isActive: boolean = true;

  @NestedList(() => ConditionGroupFields, GROUPS)
  conditionGroups!: ConditionGroupFields[];
}

/** Only supplied fields change; a null description clears it. */
export class UpdateSegmentRequest {
  @Text({ min: 1, max: 100, optional: true, description: 'Name', example: 'Big spenders' })
  name?: string | null;

  @Text(PURPOSE)
  description?: string | null;

  @Bool({ optional: true, description: 'Whether it is evaluated daily', example: false })
  isActive?: boolean | null;

  @NestedList(() => ConditionGroupFields, { ...GROUPS, optional: true })
  conditionGroups?: ConditionGroupFields[] | null;
}

export class SegmentPath {
  @PathId({ description: 'Id of the segment', example: 1 })
  id!: number;
}

@OnlyKnownNames()
export class ListSegmentsQuery {
  @QueryInt({ min: 0, max: 10_000_000, default: 0, description: 'Page, 0-based', example: 0 })
  page: number = 0;

  @QueryInt({ min: 1, max: 50, default: 10, description: 'Items per page', example: 10 })
  size: number = 10;
}

const time = (description: string, nullable = false) =>
  Field(`${description}, in the organization's time zone`, '2026-11-20T03:00:04+09:00', {
    ...DATE_TIME_OR_NULL,
    nullable,
  });

/** A segment without its conditions (docs/concepts/segments.md#evaluation). */
export class SegmentSummaryResponse {
  @Field('Id of the segment', 1, INT64)
  id!: number;

  @Field('Name', 'Big spenders')
  name!: string;

  @Field('Purpose of the segment', 'Invited to the private sale', TEXT_OR_NULL)
  description!: string | null;

  @Field('Whether it is evaluated daily', true)
  isActive!: boolean;

  @Field('Number of contacts in it, as of its last evaluation', 1204, INT64)
  memberCount!: number;

  @Field('Number of condition groups', 1, INTEGER)
  conditionGroupCount!: number;

  @time('Last evaluation, daily or on demand; null if never', true)
  lastEvaluatedAt!: string | null;

  @time('Last evaluation on demand; null if never', true)
  lastUsedAt!: string | null;

  @time('When it was created')
  createdAt!: string;

  @time('Last change of its definition')
  updatedAt!: string;
}

export class SegmentConditionResponse {
  @Field(KEY, 'activity.purchase.sum')
  propKey!: string;

  @Field('Operator', 'GTE', { enum: OPERATORS })
  propOp!: Operator;

  @Field('Value to compare with', 100_000, { ...VALUE_SCHEMA, nullable: true })
  propValue!: ConditionValue | null;

  @Field(COMPARE, null, TEXT_OR_NULL)
  compareKey!: string | null;
}

export class ConditionGroupResponse {
  @Field('Conditions, all of which must be met', undefined, listOf(SegmentConditionResponse))
  conditions!: SegmentConditionResponse[];
}

export class SegmentResponse extends SegmentSummaryResponse {
  @Field(
    'The conditions as readable text: conditions of a group joined by AND, groups by OR',
    'activity.purchase.sum >= 100000 AND smsAdOptIn = true',
  )
  conditionText!: string;

  @Field('Groups of conditions, at least one of which must be met', undefined, listOf(ConditionGroupResponse))
  conditionGroups!: ConditionGroupResponse[];
}

export class SegmentPage extends pageOf(SegmentSummaryResponse, 'SegmentPage') {}

/** The segment list of analytics (docs/concepts/statistics.md#analytics). */
export class SegmentListResponse {
  @Field('Current page, 0-based', 0, INTEGER)
  page!: number;

  @Field('Page size', 10, INTEGER)
  size!: number;

  @Field('Total number of segments', 1, INT64)
  totalElements!: number;

  @Field('Total number of pages', 1, INTEGER)
  totalPages!: number;

  @Field('Time zone of the organization', 'Asia/Seoul')
  timeZone!: string;

  @Field('Segments, by name', undefined, listOf(SegmentSummaryResponse))
  segments!: SegmentSummaryResponse[];
}

export function toSegmentSummary(
  segment: SegmentSummary,
  zone: string,
): Pick<SegmentSummaryResponse, keyof SegmentSummaryResponse> {
  const { id, name, description, isActive, memberCount, conditionGroupCount } = segment;
  return {
    id,
    name,
    description,
    isActive,
    memberCount,
    conditionGroupCount,
    lastEvaluatedAt: segment.lastEvaluatedAt && localTime(segment.lastEvaluatedAt, zone),
    lastUsedAt: segment.lastUsedAt && localTime(segment.lastUsedAt, zone),
    createdAt: localTime(segment.createdAt, zone),
    updatedAt: localTime(segment.updatedAt, zone),
  };
}

export function toSegmentResponse(segment: Segment, zone: string): SegmentResponse {
  const { conditionGroups } = segment;
  return {
    ...toSegmentSummary({ ...segment, conditionGroupCount: conditionGroups.length }, zone),
    conditionText: conditionText(conditionGroups),
    conditionGroups: conditionGroups.map(({ conditions }) => ({
      conditions: conditions.map((condition) => ({ ...condition })),
    })),
  };
}

/** Formats a time as `2026-11-20T03:00:04+09:00`, in seconds with the offset of the zone. */
function localTime(moment: Date, zone: string): string {
  const local = DateTime.fromJSDate(moment, { zone }).startOf('second');
  return local.toISO({ suppressMilliseconds: true }) ?? '';
}
