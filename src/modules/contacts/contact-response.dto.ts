import { ApiProperty } from '@nestjs/swagger';
import { pageOf } from '../../common/pagination/page';
import { type Contact, type Origin, ORIGINS, shownFields } from './contact';
import type { OptedOut } from './contact-opt-outs';

const text = (description: string, example: string) =>
  ApiProperty({ type: String, nullable: true, description, example });
const consent = (description: string) => ApiProperty({ description, example: true });
const time = (description: string) =>
  ApiProperty({ format: 'date-time', description, example: '2026-11-20T08:32:00Z' });

const optedOut = (description: string) => ApiProperty({ description, example: false });

/** Whether the phone number or e-mail address of a contact is on the opt-out list of a channel. */
class OptedOutResponse {
  @optedOut('Whether text messages to the phone number are opted out of')
  sms!: boolean;

  @optedOut('Whether e-mail to the address is opted out of')
  email!: boolean;

  @optedOut('Whether WhatsApp messages to the phone number are opted out of')
  whatsapp!: boolean;
}

/** A contact as the API shows it (docs/concepts/contacts.md#fields). */
export class ContactResponse {
  @ApiProperty({ type: 'integer', format: 'int64', description: 'Id of the contact', example: 42 })
  id!: number;

  @text("The customer's member id", 'member-1001')
  externalUserId!: string | null;

  @ApiProperty({ enum: ORIGINS, description: 'Where it came from', example: 'API' })
  origin!: Origin;

  @text('Name', 'Kim Minji')
  name!: string | null;

  @text('Phone number in E.164', '+821023456789')
  phoneNumber!: string | null;

  @text('E-mail address', 'minji@example.com')
  email!: string | null;

  @text('Push identifier', 'fcm:cR9x0example')
  pushIdentify!: string | null;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    nullable: true,
    description: 'Push token index',
    example: 42,
  })
  pushTokenIdx!: number | null;

  @text('Language or region code', 'ko-KR')
  locale!: string | null;

  @consent('Agreed to push messages')
  pushOptIn!: boolean;

  @consent('Agreed to text messages')
  smsOptIn!: boolean;

  @consent('Agreed to e-mail')
  emailOptIn!: boolean;

  @consent('Agreed to Alimtalk messages')
  alimtalkOptIn!: boolean;

  @consent('Agreed to WhatsApp messages')
  whatsappOptIn!: boolean;

  @consent('Agreed to advertising by push message')
  pushAdOptIn!: boolean;

  @consent('Agreed to advertising by text message')
  smsAdOptIn!: boolean;

  @consent('Agreed to advertising by e-mail')
  emailAdOptIn!: boolean;

  @consent('Agreed to advertising by Alimtalk')
  alimtalkAdOptIn!: boolean;

  @consent('Agreed to advertising at night')
  nightAdOptIn!: boolean;

  @ApiProperty({ type: OptedOutResponse, description: 'Which opt-out lists the person is on' })
  optedOut!: OptedOutResponse;

  @ApiProperty({ type: String, isArray: true, description: 'Tags', example: ['vip'] })
  tags!: string[];

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Attributes of your own, as text',
    example: { grade: 'gold' },
  })
  customFields!: Record<string, string>;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    isArray: true,
    description: 'Groups that it is a member of',
    example: [3],
  })
  groupIds!: number[];

  @ApiProperty({ enum: ['ACTIVE', 'DEACTIVATED'], description: 'Whether it is in use', example: 'ACTIVE' })
  status!: 'ACTIVE' | 'DEACTIVATED';

  @ApiProperty({ description: 'By an administrator: once deactivated, it stays so', example: false })
  blocked!: boolean;

  @time('When it was first made')
  createdAt!: string;

  @time('Last change')
  updatedAt!: string;
}

export class ContactPage extends pageOf(ContactResponse, 'ContactPage') {}

export function toContactResponse(
  contact: Contact,
  groupIds: readonly number[],
  optedOut: OptedOut,
): ContactResponse {
  return { ...shownFields(contact), groupIds: [...groupIds], optedOut };
}
