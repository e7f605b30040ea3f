import { ApiProperty } from '@nestjs/swagger';
import { IgnoredColumns, RowValues } from '../../../common/csv/import-answers.dto';
import { OrganizationPath } from '../../../access/organizations/organizations.dto';
import { toDateTime } from '../../../common/time/format';
import { PathId, QueryBool } from '../../../common/validation/atoms';
import type { Activity } from '../members/contact-activity';
import { ContactResponse } from '../contact-response.dto';

export class ConsoleContactPath extends OrganizationPath {
  @PathId({ description: 'Id of the contact' })
  id!: number;
}

export class DeleteContactQuery {
  @QueryBool({
    default: false,
    description: 'true: erases everything stored about the person; false: deactivates the contact',
    example: false,
  })
  erase: boolean = false;
}

class GroupName {
  @ApiProperty({ type: 'integer', format: 'int64', description: 'Id of the group', example: 3 })
  id!: number;

  @ApiProperty({ description: 'Name of the group', example: 'Newsletter' })
  name!: string;
}

class ActivityResponse {
  @ApiProperty({ description: 'Name of the action', example: 'purchase' })
  metric!: string;

  @ApiProperty({ format: 'date-time', description: 'First time', example: '2026-11-20T08:32:00Z' })
  first!: string;

  @ApiProperty({ format: 'date-time', description: 'Last time', example: '2026-11-20T08:32:00Z' })
  last!: string;

  @ApiProperty({ type: 'integer', format: 'int64', description: 'Number of times', example: 3 })
  count!: number;

  @ApiProperty({
    type: 'number',
    description: "Sum of amounts in the organization's base currency",
    example: 42.5,
  })
  sum!: number;
}

export function toActivityResponse({ metric, first, last, count, sum }: Activity): ActivityResponse {
  return { metric, first: toDateTime(first), last: toDateTime(last), count, sum };
}

/** Everything stored about a person. */
export class PersonExport {
  @ApiProperty({ format: 'date-time', description: 'Time of the export', example: '2026-11-20T08:32:00Z' })
  exportedAt!: string;

  @ApiProperty({ type: ContactResponse, description: 'The contact' })
  contact!: ContactResponse;

  @ApiProperty({ type: GroupName, isArray: true, description: 'Groups of the contact' })
  groups!: GroupName[];

  @ApiProperty({ type: ActivityResponse, isArray: true, description: 'Actions of the person, by metric' })
  activity!: ActivityResponse[];

  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description: 'Webhook events with data of the person; kept for 30 days',
    example: [],
  })
  events!: object[];

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'object', additionalProperties: true } },
    description: 'Other stored data, by kind, such as opt-outs of the phone number and the e-mail address',
    example: { unsubscribes: [] },
  })
  others!: Record<string, readonly object[]>;
}

export class ContactLineError {
  @ApiProperty({
    type: 'integer',
    description: 'Line of the file where the row starts, from 1',
    example: 2,
  })
  line!: number;

  @ApiProperty({ type: String, nullable: true, description: 'The value as sent', example: '010-12' })
  value!: string | null;

  @ApiProperty({ description: 'Reason code, as in bulk responses', example: 'PHONE_FORMAT' })
  reason!: string;

  @ApiProperty({
    description: 'Human-readable explanation',
    example: 'phoneNumber: must be an existing phone number',
  })
  message!: string;

  @RowValues()
  values!: Record<string, string>;
}

export class ImportContactsResponse {
  @ApiProperty({
    type: 'integer',
    description: 'Number of rows, without the header and empty rows',
    example: 2,
  })
  total!: number;

  @ApiProperty({ type: 'integer', description: 'Number of contacts created', example: 1 })
  created!: number;

  @ApiProperty({ type: 'integer', description: 'Number of contacts updated or unchanged', example: 0 })
  updated!: number;

  @ApiProperty({ type: 'integer', description: 'Number of failed rows', example: 1 })
  failed!: number;

  @IgnoredColumns()
  ignoredColumns!: string[];

  @ApiProperty({
    type: ContactLineError,
    isArray: true,
    description: 'The first failed rows, 500 unless `maxErrors` says otherwise',
  })
  errors!: ContactLineError[];
}
