import { normalizeEmail } from './email';
import type { Normalized } from './normalized';
import { normalizePhone } from './phone';

/** Messaging channels (docs/concepts/opt-outs.md#channels-and-values). */
export const CHANNELS = ['SMS', 'EMAIL', 'WHATSAPP'] as const;
export type Channel = (typeof CHANNELS)[number];

/** Normalizes the recipient of a channel: a phone number in E.164, or an e-mail address in lower case. */
export function normalizeChannelValue(channel: Channel, text: unknown, region: string): Normalized {
  return channel === 'EMAIL' ? normalizeEmail(text) : normalizePhone(text, region);
}
