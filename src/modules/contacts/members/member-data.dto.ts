import { INTEGER, Field } from '../../../common/http/api-field';
import { Bool, Text } from '../../../common/validation/atoms';
import { MemberId } from '../../../common/validation/member-id';
import { CustomFields } from '../contacts.atoms';

const optional = true;
const consent = (to: string) =>
  Bool({ description: `${to}; null leaves it unchanged`, example: true, optional });
const member = () => MemberId({ description: "The customer's member id" });

/** Consents of a member (docs/concepts/contacts.md#consents). Only supplied ones change. */
export class OptInRequest {
  @member()
  externalUserId!: string;

  @consent('Text messages')
  smsOptIn?: boolean | null;

  @consent('E-mail')
  emailOptIn?: boolean | null;

  @consent('Push messages')
  pushOptIn?: boolean | null;

  @consent('Advertising by text message')
  smsAdOptIn?: boolean | null;

  @consent('Advertising by e-mail')
  emailAdOptIn?: boolean | null;

  @consent('Advertising by push message')
  pushAdOptIn?: boolean | null;

  @consent('Advertising at night')
  nightAdOptIn?: boolean | null;

  @consent('Advertising by Alimtalk')
  alimtalkAdOptIn?: boolean | null;

  @consent('WhatsApp messages')
  whatsappOptIn?: boolean | null;
}

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

export class WithdrawRequest {
  @member()
  externalUserId!: string;
}

const success = () => Field('true', true);
const MemberIdProperty = () => Field("The customer's member id", 'member-1001');

export const IDENTIFY_ACTIONS = ['created', 'updated', 'reactivated'] as const;
export type IdentifyAction = (typeof IDENTIFY_ACTIONS)[number];

export class IdentifyResponse {
  @success()
  success!: true;

  @Field('What happened to the contact', 'created', { enum: IDENTIFY_ACTIONS })
  action!: IdentifyAction;

  @MemberIdProperty()
  externalUserId!: string;

  @Field('Stored push consent', true)
  pushOptIn!: boolean;

  @Field('Stored consent to advertising push messages', false)
  pushAdOptIn!: boolean;
}

export class OptInResponse {
  @success()
  success!: true;

  @MemberIdProperty()
  externalUserId!: string;

  @Field('Stored push consent', true)
  pushOptIn!: boolean;

  @Field('Stored consent to advertising push messages', false)
  pushAdOptIn!: boolean;
}

export class WithdrawResponse {
  @success()
  success!: true;

  @MemberIdProperty()
  externalUserId!: string;

  @Field('Number of blanked contacts', 1, INTEGER)
  withdrawnCount!: number;
}
