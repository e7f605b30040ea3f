import { ApiProperty } from '@nestjs/swagger';
import { QueryInt, Text } from '../../../common/validation/atoms';
import { OnlyKnownNames } from '../../../common/validation/known-names';
import { ContactResponse } from '../contact-response.dto';

export const CONTACT_CHANGES = ['UPSERTED', 'DELETED'] as const;
export type ContactChangeType = (typeof CONTACT_CHANGES)[number];

@OnlyKnownNames()
export class ContactFeedQuery {
  @Text({
    max: 200,
    optional: true,
    description: 'nextCursor of the previous response, unchanged; absent or empty starts from the beginning',
    example: '',
  })
  cursor?: string | null;

  @QueryInt({ min: 1, max: 1000, default: 500, description: 'Maximum number of items', example: 500 })
  limit: number = 500;
}

/** The latest change of a contact. */
export class ContactChangeItem {
  @ApiProperty({
    enum: CONTACT_CHANGES,
    description: 'UPSERTED: created, changed or reactivated; DELETED: deactivated, withdrawn or erased',
    example: 'UPSERTED',
  })
  type!: ContactChangeType;

  @ApiProperty({ type: 'integer', format: 'int64', description: 'Id of the contact', example: 42 })
  id!: number;

  @ApiProperty({
    type: String,
    nullable: true,
    description: "The customer's member id; for an erased contact it is kept for 30 days",
    example: 'member-1001',
  })
  externalUserId!: string | null;

  @ApiProperty({
    type: ContactResponse,
    nullable: true,
    description: 'The current contact; null if deleted',
  })
  contact!: ContactResponse | null;

  @ApiProperty({ format: 'date-time', description: 'Time of the change', example: '2026-11-20T08:32:00Z' })
  changedAt!: string;
}

export class ContactFeedResponse {
  @ApiProperty({ type: ContactChangeItem, isArray: true, description: 'Changes, oldest first' })
  items!: ContactChangeItem[];

  @ApiProperty({
    description: 'Cursor for the next request; never null',
    example: 'AQABAAAAAAAAASoW0nq4vN8h3bUuzPbl9s8a',
  })
  nextCursor!: string;

  @ApiProperty({ description: 'Whether more changes follow now', example: false })
  hasMore!: boolean;
}

/** Webhook data of a deleted contact. */
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

  @ApiProperty({ format: 'date-time', description: 'Time of the deletion', example: '2026-11-20T08:32:00Z' })
  deletedAt!: string;
}
