import { ApiProperty } from '@nestjs/swagger';
import { INT64, INT64_OR_NULL, INTEGER, TEXTS, TEXT_OR_NULL, Field } from '../../common/http/api-field';
import { pageOf } from '../../common/pagination/page';
import { type Contact, type Origin, ORIGINS, publicFields } from './contact';
import type { OptedOut } from './contact-opt-outs';

const time = (description: string) =>
  ApiProperty({ format: 'date-time', description, example: '2026-11-20T08:32:00Z' });

class OptedOutResponse {
  @Field('Whether the phone number has opted out of text messages', false)
  sms!: boolean;

  @Field('Whether the address has opted out of e-mail', false)
  email!: boolean;

  @Field('Whether the phone number has opted out of WhatsApp messages', false)
  whatsapp!: boolean;
}

/** A contact in responses (docs/concepts/contacts.md#fields). */
export class ContactResponse {
  @Field('Id of the contact', 42, INT64)
  id!: number;

  @Field("The customer's member id", 'member-1001', TEXT_OR_NULL)
  externalUserId!: string | null;

  @Field('Origin of the contact', 'API', { enum: ORIGINS })
  origin!: Origin;

  @Field('Name', 'Kim Minji', TEXT_OR_NULL)
  name!: string | null;

  @Field('Phone number in E.164', '+821023456789', TEXT_OR_NULL)
  phoneNumber!: string | null;

  @Field('E-mail address', 'minji@example.com', TEXT_OR_NULL)
  email!: string | null;

  @Field('Push identifier', 'fcm:cR9x0example', TEXT_OR_NULL)
  pushIdentify!: string | null;

  @Field('Push token index', 42, INT64_OR_NULL)
  pushTokenIdx!: number | null;

  @Field('Language or region code', 'ko-KR', TEXT_OR_NULL)
  locale!: string | null;

  @Field('Consent to push messages', true)
  pushOptIn!: boolean;

  @Field('Consent to text messages', true)
  smsOptIn!: boolean;

  @Field('Consent to e-mail', true)
  emailOptIn!: boolean;

  @Field('Consent to Alimtalk messages', true)
  alimtalkOptIn!: boolean;

  @Field('Consent to WhatsApp messages', true)
  whatsappOptIn!: boolean;

  @Field('Consent to advertising by push message', true)
  pushAdOptIn!: boolean;

  @Field('Consent to advertising by text message', true)
  smsAdOptIn!: boolean;

  @Field('Consent to advertising by e-mail', true)
  emailAdOptIn!: boolean;

  @Field('Consent to advertising by Alimtalk', true)
  alimtalkAdOptIn!: boolean;

  @Field('Consent to advertising at night', true)
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
