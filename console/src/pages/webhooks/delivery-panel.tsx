import { Badge, Button, Code, Group, Stack, Text, Title } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { client, queries, type Schemas } from '../../api/client';
import { CopyText } from '../../kit/copy';
import { unwrap } from '../../kit/form';
import { Panel } from '../../kit/panel';
import { showDone, showError } from '../../kit/toasts';
import { formatDateTime, formatNumber } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { STATUS_COLORS } from './deliveries';
import { webhookTexts } from './texts';

/** One delivery with each attempt and its answer. */
export function DeliveryPanel({
  delivery,
  onClose,
}: {
  delivery: Schemas['DeliveryResponse'];
  onClose: () => void;
}) {
  const t = useTexts(webhookTexts);
  const { deliveryId, event, status, createdAt, attempts } = delivery;
  const redeliver = async () => {
    await unwrap(client.POST('/deliveries/{deliveryId}/redeliver', { params: { path: { deliveryId } } }));
    await queries.invalidateQueries();
    showDone(t('redelivered'));
    onClose();
  };
  return (
    <Panel opened title={t('deliveryTitle')} onClose={onClose} size="xl">
      <Stack>
        <Group justify="space-between">
          <Group>
            <Text fw={600}>{event}</Text>
            <Badge color={STATUS_COLORS[status]}>{t(status)}</Badge>
            <Text size="sm">{formatDateTime(createdAt)}</Text>
          </Group>
          <Button leftSection={<IconRefresh size={16} />} onClick={() => void redeliver().catch(showError)}>
            {t('redeliver')}
          </Button>
        </Group>
        <CopyText label={t('deliveryId')} value={deliveryId} />
        {attempts.toReversed().map((attempt, index) => (
          <Attempt key={attempt.at} attempt={attempt} number={attempts.length - index} />
        ))}
      </Stack>
    </Panel>
  );
}

function Attempt({ attempt, number }: { attempt: Schemas['AttemptResponse']; number: number }) {
  const t = useTexts(webhookTexts);
  const { at, latencyMs, statusCode, error, answer } = attempt;
  return (
    <Stack gap={4}>
      <Group gap="sm">
        <Title order={3} size="h5">
          {t('attempt', { number })}
        </Title>
        <Text size="sm">{formatDateTime(at)}</Text>
        <Text size="sm">{t('latency', { ms: formatNumber(latencyMs) })}</Text>
        {statusCode !== null && <Badge color={statusCode < 300 ? 'teal.9' : 'red.8'}>{statusCode}</Badge>}
      </Group>
      {statusCode === null ? (
        <Text size="sm">{t('noAnswer', { error: error ?? '' })}</Text>
      ) : (
        <Code block tabIndex={0}>
          {answer || t('emptyAnswer')}
        </Code>
      )}
    </Stack>
  );
}
