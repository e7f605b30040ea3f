import { ApiProperty } from '@nestjs/swagger';
import { PathId, QueryBool } from '../../../common/validation/atoms';
import { type IdentifyAction, IDENTIFY_ACTIONS } from '../members/member-data.dto';

export class BulkContactsQuery {
  @QueryBool({
    default: false,
    description: 'true: responds with 202 and a jobId at once, and continues in the background',
    example: true,
  })
  async: boolean = false;

  @PathId({
    description: 'Group of the contacts that name none',
    example: 1,
    optional: true,
  })
  groupId?: number;

  @QueryBool({
    default: false,
    description: 'Whether to return the contact id of each item; VALIDATION_FAILED with `async`',
    example: true,
  })
  returnIds: boolean = false;
}

export class SavedContactItem {
  @ApiProperty({ type: 'integer', description: 'Index of the item in the request, from 0', example: 0 })
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

  @ApiProperty({ enum: IDENTIFY_ACTIONS, description: 'What happened to the contact', example: 'created' })
  action!: IdentifyAction;
}

export class ContactItemError {
  @ApiProperty({ type: 'integer', description: 'Index of the item in the request, from 0', example: 3 })
  index!: number;

  @ApiProperty({ type: String, nullable: true, description: 'The value as sent', example: '010-12' })
  value!: string | null;

  @ApiProperty({
    description:
      'PHONE_FORMAT, EMAIL_FORMAT, GROUP_NOT_FOUND, CONTACT_BLOCKED, LIMIT_REACHED, else VALIDATION_FAILED',
    example: 'PHONE_FORMAT',
  })
  reason!: string;

  @ApiProperty({
    description: 'Human-readable explanation',
    example: 'phoneNumber: must be an existing phone number',
  })
  message!: string;
}

export class BulkContactsResponse {
  @ApiProperty({ type: 'integer', description: 'Number of contacts created', example: 990 })
  created!: number;

  @ApiProperty({ type: 'integer', description: 'Number of contacts updated or unchanged', example: 9 })
  updated!: number;

  @ApiProperty({ type: 'integer', description: 'Number of rejected items', example: 1 })
  failed!: number;

  @ApiProperty({ type: ContactItemError, isArray: true, description: 'The rejected items, in order' })
  errors!: ContactItemError[];

  @ApiProperty({
    type: SavedContactItem,
    isArray: true,
    required: false,
    description: 'With `returnIds`: the accepted items, in order',
  })
  items?: SavedContactItem[];
}
