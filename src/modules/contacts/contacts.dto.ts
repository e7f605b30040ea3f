import { PageQuery } from '../../common/pagination/page';
import { Bool, DateTimeText, Id, Int, OneOf, PathId, QueryBool, Text } from '../../common/validation/atoms';
import { TextList } from '../../common/validation/lists';
import { MemberId } from '../../common/validation/member-id';
import { type Origin, ORIGINS } from './contact';
import { CustomFields } from './contacts.atoms';

const optional = true;
const consent = (to: string) =>
  Bool({ description: `${to}; null keeps what is stored`, example: true, optional });

/**
 * What a contact may be given (docs/concepts/contacts.md#fields). Only supplied fields are applied. null or an empty
 * text clears name, phoneNumber, email, pushIdentify, pushTokenIdx, locale and tags; null leaves all others as they
 * are.
 */
export class ContactRequest {
  @Text({ max: 100, description: 'Name', example: 'Kim Minji', optional })
  name?: string | null;

  @Text({
    max: 20,
    description: "Phone number in any form, read by the organization's default region; kept in E.164",
    example: '+821023456789',
    optional,
  })
  phoneNumber?: string | null;

  @Text({
    max: 200,
    description: 'E-mail address; kept in lower case',
    example: 'minji@example.com',
    optional,
  })
  email?: string | null;

  @MemberId({ description: "The customer's member id: what contacts are known by", optional })
  externalUserId?: string | null;

  @Text({ max: 500, description: 'Push identifier', example: 'fcm:cR9x0example', optional })
  pushIdentify?: string | null;

  @Int({ min: 0, max: Number.MAX_SAFE_INTEGER, description: 'Push token index', example: 42, optional })
  pushTokenIdx?: number | null;

  @Text({ max: 10, description: 'Language or region code', example: 'ko-KR', optional })
  locale?: string | null;

  @consent('Push messages')
  pushOptIn?: boolean | null;

  @consent('Text messages')
  smsOptIn?: boolean | null;

  @consent('E-mail')
  emailOptIn?: boolean | null;

  @consent('Alimtalk messages')
  alimtalkOptIn?: boolean | null;

  @consent('WhatsApp messages')
  whatsappOptIn?: boolean | null;

  @consent('Advertising by push message')
  pushAdOptIn?: boolean | null;

  @consent('Advertising by text message')
  smsAdOptIn?: boolean | null;

  @consent('Advertising by e-mail')
  emailAdOptIn?: boolean | null;

  @consent('Advertising by Alimtalk')
  alimtalkAdOptIn?: boolean | null;

  @consent('Advertising at night')
  nightAdOptIn?: boolean | null;

  @TextList({
    max: 100,
    length: 100,
    description: 'Tags, in the place of those before',
    example: ['vip'],
    optional,
  })
  tags?: string[] | null;

  @CustomFields({
    description:
      'Attributes of your own, kept as text and added key by key; null removes a key. Keys beyond the ' +
      "organization's number (50) or length (50) are ignored, long values (2000) are cut",
    example: { grade: 'gold' },
    optional,
  })
  customFields?: Record<string, unknown> | null;

  @Id({
    description:
      'Group that the contact becomes a member of; a new contact without one, of the default group',
    example: 1,
    optional,
  })
  groupId?: number | null;
}

export class ContactPath {
  @PathId({ description: 'Id of the contact' })
  id!: number;
}

export class ContactMemberPath {
  @MemberId({ description: "The customer's member id, percent-encoded" })
  externalUserId!: string;
}

export class ListContactsQuery extends PageQuery {
  @Text({
    max: 200,
    description:
      'Part of the name, whole phone number or its last 4 digits, whole e-mail address, its local part or its domain',
    example: 'minji',
    optional,
  })
  keyword?: string;

  @OneOf(ORIGINS, { description: 'Where contacts came from', example: 'API', optional })
  origin?: Origin;

  @QueryBool({ description: 'Whether they agreed to push messages', example: true, optional })
  pushOptIn?: boolean;

  @QueryBool({ description: 'Whether they agreed to text messages', example: true, optional })
  smsOptIn?: boolean;

  @QueryBool({ description: 'Whether they agreed to e-mail', example: true, optional })
  emailOptIn?: boolean;

  @MemberId({ description: 'The one with this member id', optional })
  externalUserId?: string;

  @PathId({ description: 'Members of this group of the organization', example: 1, optional })
  groupId?: number;

  @Text({ min: 1, max: 100, description: 'Those with exactly this tag', example: 'vip', optional })
  tag?: string;

  @DateTimeText({
    description: 'Those whose last change is later; a date alone is the end of that day, UTC',
    example: '2026-11-20T08:32:00Z',
    optional,
  })
  updatedAfter?: string;
}

export class ContactByPhoneQuery {
  @Text({ max: 50, description: 'Phone number in any form', example: '+821023456789' })
  phone!: string;
}

export class ContactByEmailQuery {
  @Text({ max: 254, description: 'E-mail address', example: 'minji@example.com' })
  email!: string;
}
