import { IntersectionType, PickType } from '@nestjs/swagger';
import { INTEGER, Field } from '../../../common/http/api-field';
import { Text } from '../../../common/validation/atoms';
import { MemberId } from '../../../common/validation/member-id';
import type { Consent } from '../contact';
import { CustomFields } from '../contacts.atoms';
import { ContactRequest } from '../contacts.dto';

const optional = true;

class MemberRequest {
  @MemberId({ description: "The customer's member id" })
  externalUserId!: string;
}

const OPT_IN_CONSENTS = [
  'smsOptIn',
  'emailOptIn',
  'pushOptIn',
  'smsAdOptIn',
  'emailAdOptIn',
  'pushAdOptIn',
  'nightAdOptIn',
  'alimtalkAdOptIn',
  'whatsappOptIn',
] as const satisfies Consent[];

/** Consents of a member (docs/concepts/contacts.md#consents). Only supplied ones change. */
export class OptInRequest extends IntersectionType(
  MemberRequest,
  PickType(ContactRequest, OPT_IN_CONSENTS),
) {}

/**
 * Data of a member (docs/concepts/contacts.md#members-of-apps-and-sites). Null counts as omitted; an empty text clears
 * a field.
 */
export class IdentifyRequest extends OptInRequest {
  @Text({ max: 100, description: 'Name; an empty text clears it', example: 'Kim Minji', optional })
  name?: string | null;

  @Text({
    max: 50,
    description:
      "Phone number in any notation, parsed with the organization's default region; an empty text clears it",
    example: '+12133734253',
    optional,
  })
  phone?: string | null;

  @Text({
    max: 200,
    description: 'E-mail address; an empty text clears it',
    example: 'minji@example.com',
    optional,
  })
  email?: string | null;

  @Text({
    max: 200,
    description: 'Push identifier; an empty text clears it',
    example: 'fcm:cR9x0example',
    optional,
  })
  pushIdentify?: string | null;

  @CustomFields({
    description:
      'Custom attributes, stored as text and merged by key; null deletes a key. Keys beyond the ' +
      "organization's limits on number (50) or length (50) are ignored, long values (2000) are " +
      'truncated',
    example: { signup_date: '2026-11-20' },
    optional,
  })
  customFields?: Record<string, unknown> | null;
}

export class WithdrawRequest extends MemberRequest {}

export const IDENTIFY_ACTIONS = ['created', 'updated', 'reactivated'] as const;
export type IdentifyAction = (typeof IDENTIFY_ACTIONS)[number];

class MemberResponse {
  @Field('true', true)
  success!: true;

  @Field("The customer's member id", 'member-1001')
  externalUserId!: string;
}

export class OptInResponse extends MemberResponse {
  @Field('Stored push consent', true)
  pushOptIn!: boolean;

  @Field('Stored consent to advertising push messages', false)
  pushAdOptIn!: boolean;
}

export class IdentifyResponse extends OptInResponse {
  @Field('What happened to the contact', 'created', { enum: IDENTIFY_ACTIONS })
  action!: IdentifyAction;
}

export class WithdrawResponse extends MemberResponse {
  @Field('Number of blanked contacts', 1, INTEGER)
  withdrawnCount!: number;
}
