import { INTEGER, Field } from '../../common/http/api-field';
import { DateTimeText, OneOf, Text } from '../../common/validation/atoms';
import { NestedList } from '../../common/validation/lists';
import { Amount } from './billing.atoms';

const SEND_STATUSES = ['SUCCESS', 'FAILED', 'UNSENT'] as const;

export class MessageSendItem {
  @Text({
    max: 30,
    pattern: /^[A-Z][A-Z0-9_]*$/,
    patternText: 'must be upper-case letters, digits and "_", such as SMS',
    description: 'Type of message: SMS, LMS, MMS, ALIMTALK, EMAIL, PUSH, WHATSAPP, or another',
    example: 'SMS',
  })
  channelType!: string;

  @OneOf(SEND_STATUSES, { description: 'Result of the send; only successes are billed', example: 'SUCCESS' })
  status!: (typeof SEND_STATUSES)[number];

  @Amount({ positive: false, description: 'Cost in the base currency', example: 9.9 })
  rate!: number;

  @DateTimeText({ description: 'When it was sent', example: '2026-11-20T08:32:00Z' })
  sentAt!: string;

  @Text({
    max: 200,
    description: 'Id of the message; each id counts once',
    example: 'msg-20261120-000042',
  })
  messageId!: string;
}

export class RecordMessageSendsRequest {
  @NestedList(() => MessageSendItem, { min: 1, max: 1000, description: 'Messages, at most 1000' })
  items!: MessageSendItem[];
}

export class RecordMessageSendsResponse {
  @Field('Number of messages recorded', 998, INTEGER)
  accepted!: number;

  @Field('Number of messages recorded before', 2, INTEGER)
  duplicated!: number;
}
