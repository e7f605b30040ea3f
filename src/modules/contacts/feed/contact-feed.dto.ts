import { DATE_TIME, INT64, TEXT_OR_NULL, Field } from '../../../common/http/api-field';
import { QueryInt, Text } from '../../../common/validation/atoms';
import { OnlyKnownNames } from '../../../common/validation/known-names';
import { ContactResponse } from '../contact-response.dto';

const CURSOR = 'AQABAAAAAAAAASoW0nq4vN8h3bUuzPbl9s8a';

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
  @Field('UPSERTED: created, changed or reactivated; DELETED: deactivated, withdrawn or erased', 'UPSERTED', {
    enum: CONTACT_CHANGES,
  })
  type!: ContactChangeType;

  @Field('Id of the contact', 42, INT64)
  id!: number;

  @Field(
    "The customer's member id; for an erased contact it is kept for 30 days",
    'member-1001',
    TEXT_OR_NULL,
  )
  externalUserId!: string | null;

  @Field('The current contact; null if deleted', undefined, { type: ContactResponse, nullable: true })
  contact!: ContactResponse | null;

  @Field('Time of the change', '2026-11-20T08:32:00Z', DATE_TIME)
  changedAt!: string;

  @Field('Cursor that continues behind this change', CURSOR)
  cursor!: string;
}

export class ContactFeedResponse {
  @Field('Changes, oldest first', undefined, { type: ContactChangeItem, isArray: true })
  items!: ContactChangeItem[];

  @Field('Cursor for the next request; never null', CURSOR)
  nextCursor!: string;

  @Field('Whether more changes follow now', false)
  hasMore!: boolean;
}

/** Webhook data of a deleted contact. */
export class ContactDeleted {
  @Field('Id of the contact', 42, INT64)
  id!: number;

  @Field("The customer's member id", 'member-1001', TEXT_OR_NULL)
  externalUserId!: string | null;

  @Field('Time of the deletion', '2026-11-20T08:32:00Z', DATE_TIME)
  deletedAt!: string;
}
