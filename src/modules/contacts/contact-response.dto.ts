import { ApiProperty } from '@nestjs/swagger';
import { INT64, INT64_OR_NULL, INTEGER, TEXTS, Field } from '../../common/http/api-field';
import { pageOf } from '../../common/pagination/page';
import { type Contact, type Origin, ORIGINS, publicFields } from './contact';
import type { OptedOut } from './contact-opt-outs';

const text = (description: string, example: string) =>
  ApiProperty({ type: String, nullable: true, description, example });
const consent = (description: string) => ApiProperty({ description, example: true });
const time = (description: string) =>
  ApiProperty({ format: 'date-time', description, example: '2026-11-20T08:32:00Z' });

const optedOut = (description: string) => ApiProperty({ description, example: false });

class OptedOutResponse {
  @optedOut('Whether the phone number has opted out of text messages')
  sms!: boolean;

  @optedOut('Whether the address has opted out of e-mail')
  email!: boolean;

  @optedOut('Whether the phone number has opted out of WhatsApp messages')
  whatsapp!: boolean;
}

/** A contact in responses (docs/concepts/contacts.md#fields). */
export class ContactResponse {
  @Field('Id of the contact', 42, INT64)
  id!: number;

  @text("The customer's member id", 'member-1001')
  externalUserId!: string | null;

  @Field('Origin of the contact', 'API', { enum: ORIGINS })
  origin!: Origin;

  @text('Name', 'Kim Minji')
  name!: string | null;

  @text('Phone number in E.164', '+821023456789')
  phoneNumber!: string | null;

  @text('E-mail address', 'minji@example.com')
  email!: string | null;

  @text('Push identifier', 'fcm:cR9x0example')
  pushIdentify!: string | null;

  @Field('Push token index', 42, INT64_OR_NULL)
  pushTokenIdx!: number | null;

  @text('Language or region code', 'ko-KR')
  locale!: string | null;

  @consent('Consent to push messages')
  pushOptIn!: boolean;

  @consent('Consent to text messages')
  smsOptIn!: boolean;

  @consent('Consent to e-mail')
  emailOptIn!: boolean;

  @consent('Consent to Alimtalk messages')
  alimtalkOptIn!: boolean;

  @consent('Consent to WhatsApp messages')
  whatsappOptIn!: boolean;

  @consent('Consent to advertising by push message')
  pushAdOptIn!: boolean;

  @consent('Consent to advertising by text message')
  smsAdOptIn!: boolean;

  @consent('Consent to advertising by e-mail')
  emailAdOptIn!: boolean;

  @consent('Consent to advertising by Alimtalk')
  alimtalkAdOptIn!: boolean;

  @consent('Consent to advertising at night')
  nightAdOptIn!: boolean;

  @Field('Opt-outs of the person, by channel', undefined, { type: OptedOutResponse })
  optedOut!: OptedOutResponse;

  @Field('Tags', ['vip'], TEXTS)
  tags!: string[];

  @Field(
    'Custom attributes, as text',
    { grade: 'gold' },
    { type: 'object', additionalProperties: { type: 'string' } },
  )
  customFields!: Record<string, string>;

  @Field("Ids of the contact's groups", [3], { type: 'integer', format: 'int64', isArray: true })
  groupIds!: number[];

  @Field('Whether the contact is active', 'ACTIVE', { enum: ['ACTIVE', 'DEACTIVATED'] })
  status!: 'ACTIVE' | 'DEACTIVATED';

  @Field('Set by an administrator: once deactivated, the contact stays so', false)
  blocked!: boolean;

  @time('When it was first created')
  createdAt!: string;

  @time('Last change')
  updatedAt!: string;
}

/** A contact found by a value that several contacts may have. */
export class FoundContactResponse extends ContactResponse {
  @Field('Active contacts with that value, of which this one was changed last', 1, INTEGER)
  matches!: number;
}

export class ContactPage extends pageOf(ContactResponse, 'ContactPage') {}

export function toContactResponse(
  contact: Contact,
  groupIds: readonly number[],
  optedOut: OptedOut,
): ContactResponse {
  return { ...publicFields(contact), groupIds: [...groupIds], optedOut };
}
