import { OmitType } from '@nestjs/swagger';
import { DATE_TIME, INT64, INTEGER, listOf, Field } from '../../common/http/api-field';
import { IgnoredColumns, RowValues } from '../../common/csv/import-answers.dto';
import { toDateTime } from '../../common/time/format';
import { ContactItemError } from './bulk/contacts-bulk.dto';
import type { Activity } from './contact-activity';
import { ContactResponse } from './contact-response.dto';

class GroupName {
  @Field('Id of the group', 3, INT64)
  id!: number;

  @Field('Name of the group', 'Newsletter')
  name!: string;
}

class ActivityResponse {
  @Field('Name of the action', 'purchase')
  metric!: string;

  @Field('First time', '2026-11-20T08:32:00Z', DATE_TIME)
  first!: string;

  @Field('Last time', '2026-11-20T08:32:00Z', DATE_TIME)
  last!: string;

  @Field('Number of times', 3, INT64)
  count!: number;

  @Field("Sum of amounts in the organization's base currency", 42.5, { type: 'number' })
  sum!: number;
}

export function toActivityResponse({ metric, first, last, count, sum }: Activity): ActivityResponse {
  return { metric, first: toDateTime(first), last: toDateTime(last), count, sum };
}

export class PersonExport {
  @Field('Time of the export', '2026-11-20T08:32:00Z', DATE_TIME)
  exportedAt!: string;

  @Field('The contact', undefined, { type: ContactResponse })
  contact!: ContactResponse;

  @Field('Groups of the contact', undefined, listOf(GroupName))
  groups!: GroupName[];

  @Field('Actions of the person, by metric', undefined, listOf(ActivityResponse))
  activity!: ActivityResponse[];

  @Field('Webhook events with data of the person; kept for 30 days', [], {
    type: 'array',
    items: { type: 'object', additionalProperties: true },
  })
  events!: object[];

  @Field(
    'Other stored data, by kind, such as opt-outs of the phone number and the e-mail address',
    { unsubscribes: [] },
    {
      type: 'object',
      additionalProperties: { type: 'array', items: { type: 'object', additionalProperties: true } },
    },
  )
  others!: Record<string, readonly object[]>;
}

export class ContactLineError extends OmitType(ContactItemError, ['index']) {
  @Field('Line of the file where the row starts, from 1', 2, INTEGER)
  line!: number;

  @Field('Reason code, as in bulk responses', 'PHONE_FORMAT')
  declare reason: string;

  @RowValues()
  values!: Record<string, string>;
}

export class ImportContactsResponse {
  @Field('Number of rows, without the header and empty rows', 2, INTEGER)
  total!: number;

  @Field('Number of contacts created', 1, INTEGER)
  created!: number;

  @Field('Number of contacts updated or unchanged', 0, INTEGER)
  updated!: number;

  @Field('Number of failed rows', 1, INTEGER)
  failed!: number;

  @IgnoredColumns()
  ignoredColumns!: string[];

  @Field('The first failed rows, 500 unless `maxErrors` says otherwise', undefined, listOf(ContactLineError))
  errors!: ContactLineError[];
}
