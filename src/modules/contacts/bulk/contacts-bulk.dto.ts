import { ApiProperty } from '@nestjs/swagger';
import { PathId, QueryBool } from '../../../common/validation/atoms';
import { type IdentifyAction, IDENTIFY_ACTIONS } from '../members/member-data.dto';

export class BulkContactsQuery {
  @QueryBool({
    default: false,
    description: 'true: 202 and a jobId at once; the work goes on behind the answer',
    example: true,
  })
  async: boolean = false;

  @PathId({
    description: 'Group of the contacts that name none themselves',
    example: 1,
    optional: true,
  })
  groupId?: number;

  @QueryBool({
    default: false,
    description: 'Whether to answer with the id of the contact of each item; VALIDATION_FAILED with `async`',
    example: true,
  })
  returnIds: boolean = false;
}

export class SavedContactItem {
  @ApiProperty({ type: 'integer', description: 'Place of the item in the request, from 0', example: 0 })
  index!: number;

  @ApiProperty({ type: 'integer', format: 'int64', description: 'Id of its contact', example: 42 })
  id!: number;

  @ApiProperty({
    type: String,
    nullable: true,
    description: "The customer's member id",
    example: 'member-1001',
  })
  externalUserId!: string | null;

  @ApiProperty({ enum: IDENTIFY_ACTIONS, description: 'What became of the contact', example: 'created' })
  action!: IdentifyAction;
}

export class ContactItemError {
  @ApiProperty({ type: 'integer', description: 'Place of the item in the request, from 0', example: 3 })
  index!: number;

  @ApiProperty({ type: String, nullable: true, description: 'The value as it was sent', example: '010-12' })
  value!: string | null;

  @ApiProperty({
    description: 'PHONE_FORMAT, EMAIL_FORMAT, GROUP_NOT_FOUND, CONTACT_BLOCKED, else VALIDATION_FAILED',
    example: 'PHONE_FORMAT',
  })
  reason!: string;

  @ApiProperty({ description: 'In words', example: 'phoneNumber: must be a phone number that exists' })
  message!: string;
}

export class BulkContactsResponse {
  @ApiProperty({ type: 'integer', description: 'Contacts made', example: 990 })
  created!: number;

  @ApiProperty({ type: 'integer', description: 'Contacts changed, or as they were', example: 9 })
  updated!: number;

  @ApiProperty({ type: 'integer', description: 'Items that were not taken', example: 1 })
  failed!: number;

  @ApiProperty({ type: ContactItemError, isArray: true, description: 'Those items, in order' })
  errors!: ContactItemError[];

  @ApiProperty({
    type: SavedContactItem,
    isArray: true,
    required: false,
    description: 'With `returnIds`: the items that were taken, in order',
  })
  items?: SavedContactItem[];
}
