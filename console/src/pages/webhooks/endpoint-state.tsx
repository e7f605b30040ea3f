import { Badge, Tooltip } from '@mantine/core';
import type { Schemas } from '../../api/client';
import { WARNING } from '../../kit/colors';
import { useTexts } from '../../texts/texts';
import { webhookTexts } from './texts';

const COLORS = { ACTIVE: 'teal.9', FAILING: WARNING, DISABLED: 'gray.7' } as const;

/** Whether an endpoint receives events, and if not, why. */
export function EndpointState({ of }: { of: Schemas['WebhookResponse'] }) {
  const t = useTexts(webhookTexts);
  const reason = of.disabledReason ? t(`reason_${of.disabledReason}`) : of.lastError;
  const badge = <Badge color={COLORS[of.state]}>{t(of.state)}</Badge>;
  return of.state === 'ACTIVE' || !reason ? badge : <Tooltip label={reason}>{badge}</Tooltip>;
}
