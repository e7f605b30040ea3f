import { OmitType } from '@nestjs/swagger';
import { PageQuery } from '../../common/pagination/page';
import { Bool, DateTimeText, Id, Int, OneOf, PathId, QueryBool, Text } from '../../common/validation/atoms';
import { TextList } from '../../common/validation/lists';
import { OnlyKnownNames } from '../../common/validation/known-names';
import { MemberId } from '../../common/validation/member-id';
import { type Origin, ORIGINS } from './contact';
import { CustomFields } from './contacts.atoms';

const optional = true;
const consent = (to: string) =>
  Bool({ description: `${to}; null leaves it unchanged`, example: true, optional });

/**
 * Fields of a contact in a request (docs/concepts/contacts.md#fields). Only supplied fields are applied. Null or an
 * empty text clears name, phoneNumber, email, pushIdentify, pushTokenIdx, locale and tags; for other fields, null
 * counts as omitted.
 */
export class ContactRequest {
  @Text({ max: 100, description: 'Name', example: 'Kim Minji', optional })
  name?: string | null;

  @Text({
    max: 20,
    description:
      "Phone number in any notation, parsed with the organization's default region; stored in E.164",
    example: '+821023456789',
    optional,
  })
  phoneNumber?: string | null;

  @Text({
    max: 200,
    description: 'E-mail address; stored in lower case',
    example: 'minji@example.com',
    optional,
  })
  email?: string | null;

  @MemberId({ description: "The customer's member id, which identifies a contact", optional })
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
    identifiers: true,
    description: 'Tags; replaces the current list',
    example: ['vip'],
    optional,
  })
  tags?: string[] | null;

  @CustomFields({
    description:
      'Custom attributes, stored as text and merged by key; null deletes a key. Keys beyond the ' +
      "organization's limits on number (50) or length (50) are ignored, long values (2000) are " +
      'truncated',
    example: { grade: 'gold' },
    optional,
  })
  customFields?: Record<string, unknown> | null;

  @Id({
    description: 'Group to add the contact to; default for a new contact is the default group',
    example: 1,
    optional,
  })
  groupId?: number | null;
}

export class ContactPath {
  @PathId({ description: 'Id of the contact' })
  id!: number;
}

export class DeleteContactQuery {
  @QueryBool({
    default: false,
    description: 'true: erases everything stored about the person; false: deactivates the contact',
    example: false,
  })
  erase: boolean = false;
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

  @OneOf(ORIGINS, { description: 'Origin of the contacts', example: 'API', optional })
  origin?: Origin;

  @QueryBool({ description: 'Consent to push messages', example: true, optional })
  pushOptIn?: boolean;

  @QueryBool({ description: 'Consent to text messages', example: true, optional })
  smsOptIn?: boolean;

  @QueryBool({ description: 'Consent to e-mail', example: true, optional })
  emailOptIn?: boolean;

  @MemberId({ description: 'Only the contact with this member id', optional })
  externalUserId?: string;

  @PathId({ description: 'Only members of this group', example: 1, optional })
  groupId?: number;

  @PathId({
    description:
      'Only members of this segment, as of its last evaluation. Needs the permission `segments.view` and ' +
      'the add-on DYNAMIC_SEGMENT',
    example: 1,
    optional,
  })
  segmentId?: number;

  @Text({ min: 1, max: 100, description: 'Only contacts with exactly this tag', example: 'vip', optional })
  tag?: string;

  @DateTimeText({
    description: 'Only contacts changed after this time; a date means the end of that day, UTC',
    example: '2026-11-20T08:32:00Z',
    optional,
  })
  updatedAfter?: string;
}

@OnlyKnownNames()
export class MatchingContactsQuery extends OmitType(ListContactsQuery, ['page', 'size']) {}

export class ContactByPhoneQuery {
  @Text({ max: 50, description: 'Phone number in any notation', example: '+821023456789' })
  phone!: string;
}

export class ContactByEmailQuery {
  @Text({ max: 254, description: 'E-mail address', example: 'minji@example.com' })
  email!: string;
}
