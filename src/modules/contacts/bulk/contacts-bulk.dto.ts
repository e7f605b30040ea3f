import { INT64, INTEGER, TEXT_OR_NULL, Field } from '../../../common/http/api-field';
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
  @Field('Index of the item in the request, from 0', 0, INTEGER)
  index!: number;

  @Field('Id of its contact', 42, INT64)
  id!: number;

  @Field("The customer's member id", 'member-1001', TEXT_OR_NULL)
  externalUserId!: string | null;

  @Field('What happened to the contact', 'created', { enum: IDENTIFY_ACTIONS })
  action!: IdentifyAction;
}

export class ContactItemError {
  @Field('Index of the item in the request, from 0', 3, INTEGER)
  index!: number;

  @Field('The value as sent', '010-12', TEXT_OR_NULL)
  value!: string | null;

  @Field(
    'PHONE_FORMAT, EMAIL_FORMAT, GROUP_NOT_FOUND, CONTACT_BLOCKED, LIMIT_REACHED, else VALIDATION_FAILED',
    'PHONE_FORMAT',
  )
  reason!: string;

  @Field('Human-readable explanation', 'phoneNumber: must be an existing phone number')
  message!: string;
}

export class BulkContactsResponse {
  @Field('Number of contacts created', 990, INTEGER)
  created!: number;

  @Field('Number of contacts updated or unchanged', 9, INTEGER)
  updated!: number;

  @Field('Number of rejected items', 1, INTEGER)
  failed!: number;

  @Field('The rejected items, in order', undefined, { type: ContactItemError, isArray: true })
  errors!: ContactItemError[];

  @Field('With `returnIds`: the accepted items, in order', undefined, {
    type: SavedContactItem,
    isArray: true,
    required: false,
  })
  items?: SavedContactItem[];
}
