import { ApiProperty } from '@nestjs/swagger';
import { QueryInt, Text } from '../../../common/validation/atoms';
import { OnlyKnownParameters } from '../../../common/validation/known-parameters';
import { ContactResponse } from '../contact-response.dto';

export const CONTACT_CHANGES = ['UPSERTED', 'DELETED'] as const;
export type ContactChangeType = (typeof CONTACT_CHANGES)[number];

@OnlyKnownParameters()
export class ContactFeedQuery {
  @Text({
    max: 200,
    optional: true,
    description: 'nextCursor of an earlier answer, as it was; absent or empty means from the start',
    example: '',
  })
  cursor?: string | null;

  @QueryInt({ min: 1, max: 1000, default: 500, description: 'Items at most', example: 500 })
  limit: number = 500;
}

/** The latest change of a contact. */
export class ContactChangeItem {
  @ApiProperty({
    enum: CONTACT_CHANGES,
    description: 'UPSERTED: made, changed or back; DELETED: deactivated, withdrawn or erased',
    example: 'UPSERTED',
  })
  type!: ContactChangeType;

  @ApiProperty({ type: 'integer', format: 'int64', description: 'Id of the contact', example: 42 })
  id!: number;

  @ApiProperty({
    type: String,
    nullable: true,
    description: "The customer's member id; of an erased contact, for 30 days",
    example: 'member-1001',
  })
  externalUserId!: string | null;

  @ApiProperty({
    type: ContactResponse,
    nullable: true,
    description: 'The contact as it is now; null when it is deleted',
  })
  contact!: ContactResponse | null;

  @ApiProperty({ format: 'date-time', description: 'When it changed', example: '2026-11-20T08:32:00Z' })
  changedAt!: string;
}

export class ContactFeedResponse {
  @ApiProperty({ type: ContactChangeItem, isArray: true, description: 'Changes, the oldest first' })
  items!: ContactChangeItem[];

  @ApiProperty({
    description: 'Where to go on, the next time too: never null',
    example: 'AQABAAAAAAAAASoW0nq4vN8h3bUuzPbl9s8a',
  })
  nextCursor!: string;

  @ApiProperty({ description: 'Whether there is more behind it now', example: false })
  hasMore!: boolean;
}

/** What webhooks tell of a contact that is deleted. */
export class ContactDeleted {
  @ApiProperty({ type: 'integer', format: 'int64', description: 'Id of the contact', example: 42 })
  id!: number;

  @ApiProperty({
    type: String,
    nullable: true,
    description: "The customer's member id",
    example: 'member-1001',
  })
  externalUserId!: string | null;

  @ApiProperty({ format: 'date-time', description: 'When it was deleted', example: '2026-11-20T08:32:00Z' })
  deletedAt!: string;
}
