import { ApiProperty } from '@nestjs/swagger';
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
    description: 'true: nothing of the person is kept; false: the contact is deactivated',
    example: false,
  })
  erase: boolean = false;
}

class GroupName {
  @ApiProperty({ type: 'integer', format: 'int64', description: 'Id of the group', example: 3 })
  id!: number;

  @ApiProperty({ description: 'Its name', example: 'Newsletter' })
  name!: string;
}

class ActivityResponse {
  @ApiProperty({ description: 'What was done', example: 'purchase' })
  metric!: string;

  @ApiProperty({ format: 'date-time', description: 'First time', example: '2026-11-20T08:32:00Z' })
  first!: string;

  @ApiProperty({ format: 'date-time', description: 'Last time', example: '2026-11-20T08:32:00Z' })
  last!: string;

  @ApiProperty({ type: 'integer', format: 'int64', description: 'How often', example: 3 })
  count!: number;

  @ApiProperty({
    type: 'number',
    description: "Sum of its amounts, as far as they are in the organization's base currency",
    example: 42.5,
  })
  sum!: number;
}

export function toActivityResponse({ metric, first, last, count, sum }: Activity): ActivityResponse {
  return { metric, first: toDateTime(first), last: toDateTime(last), count, sum };
}

/** Everything that is stored of a person. */
export class PersonExport {
  @ApiProperty({ format: 'date-time', description: 'When this was read', example: '2026-11-20T08:32:00Z' })
  exportedAt!: string;

  @ApiProperty({ type: ContactResponse, description: 'The contact' })
  contact!: ContactResponse;

  @ApiProperty({ type: GroupName, isArray: true, description: 'Groups that the person is in' })
  groups!: GroupName[];

  @ApiProperty({ type: ActivityResponse, isArray: true, description: 'What the person has done, by metric' })
  activity!: ActivityResponse[];

  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description: 'Events for webhooks that hold data of the person; kept for 30 days',
    example: [],
  })
  events!: object[];

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'object', additionalProperties: true } },
    description: 'What else is stored, by what it is: opt-outs of the phone number and the e-mail address',
    example: { unsubscribes: [] },
  })
  others!: Record<string, readonly object[]>;
}

export class ContactLineError {
  @ApiProperty({
    type: 'integer',
    description: 'Line of the file at which the row starts, from 1',
    example: 2,
  })
  line!: number;

  @ApiProperty({ type: String, nullable: true, description: 'The value as it was sent', example: '010-12' })
  value!: string | null;

  @ApiProperty({ description: 'What is wrong with it, as of bulk requests', example: 'PHONE_FORMAT' })
  reason!: string;

  @ApiProperty({ description: 'In words', example: 'phoneNumber: must be a phone number that exists' })
  message!: string;
}

export class ImportContactsResponse {
  @ApiProperty({ type: 'integer', description: 'Rows, the header and empty ones apart', example: 2 })
  total!: number;

  @ApiProperty({ type: 'integer', description: 'Contacts made', example: 1 })
  created!: number;

  @ApiProperty({ type: 'integer', description: 'Contacts changed, or as they were', example: 0 })
  updated!: number;

  @ApiProperty({ type: 'integer', description: 'Rows that came to nothing', example: 1 })
  failed!: number;

  @ApiProperty({ type: ContactLineError, isArray: true, description: 'Why, of the first 100' })
  errors!: ContactLineError[];
}
