import { Badge, Button, Code, Group, Stack, Text, Title } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { api, client, queries, type Schemas } from '../../api/client';
import { CopyText } from '../../kit/copy';
import { unwrap } from '../../kit/form';
import { Result } from '../../kit/loading';
import { Panel } from '../../kit/panel';
import { showDone, showError } from '../../kit/toasts';
import { formatDateTime, formatNumber } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { STATUS_COLORS } from './status-colors';
import { webhookTexts } from './texts';

type Detailed = Schemas['DetailedDeliveryResponse'];

/** A delivery: its body, and the request and response of each attempt. */
export function DeliveryPanel({ deliveryId, onClose }: { deliveryId: string; onClose: () => void }) {
  const t = useTexts(webhookTexts);
  const delivery = api.useQuery('get', '/deliveries/{deliveryId}', { params: { path: { deliveryId } } });
  const redeliver = async () => {
    await unwrap(client.POST('/deliveries/{deliveryId}/redeliver', { params: { path: { deliveryId } } }));
    await queries.invalidateQueries();
    showDone(t('redelivered'));
    onClose();
  };
  return (
    <Panel opened title={t('deliveryTitle')} onClose={onClose} size="xl">
      <Stack>
        <Group justify="space-between" align="flex-end">
          <CopyText label={t('deliveryId')} value={deliveryId} />
          <Button leftSection={<IconRefresh size={16} />} onClick={() => void redeliver().catch(showError)}>
            {t('redeliver')}
          </Button>
        </Group>
        <Result of={delivery}>{(data) => <Details delivery={data} />}</Result>
      </Stack>
    </Panel>
  );
}

function Details({ delivery }: { delivery: Detailed }) {
  const t = useTexts(webhookTexts);
  const { event, status, createdAt, body, attempts } = delivery;
  return (
    <>
      <Group>
        <Text fw={600}>{event}</Text>
        <Badge color={STATUS_COLORS[status]}>{t(status)}</Badge>
        <Text size="sm">{formatDateTime(createdAt)}</Text>
      </Group>
      <Block title={t('body')}>{body === null ? t('bodyGone') : indented(body)}</Block>
      {attempts.toReversed().map((attempt, index) => (
        <Attempt key={attempt.at} attempt={attempt} number={attempts.length - index} />
      ))}
    </>
  );
}

function Attempt({ attempt, number }: { attempt: Detailed['attempts'][number]; number: number }) {
  const t = useTexts(webhookTexts);
  const { at, latencyMs, statusCode, error, answer, request } = attempt;
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <Title order={3} size="h5">
          {t('attempt', { number })}
        </Title>
        <Text size="sm">{formatDateTime(at)}</Text>
        <Text size="sm">{t('latency', { ms: formatNumber(latencyMs) })}</Text>
        {statusCode !== null && <Badge color={statusCode < 300 ? 'teal.9' : 'red.8'}>{statusCode}</Badge>}
      </Group>
      {request && (
        <Block title={t('request')}>
          {[
            ...(request.url === null ? [] : [`POST ${request.url}`]),
            ...Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`),
          ].join('\n')}
        </Block>
      )}
      <Block title={t('answer')}>
        {statusCode === null ? t('noAnswer', { error: error ?? '' }) : answer || t('emptyAnswer')}
      </Block>
    </Stack>
  );
}

function Block({ title, children }: { title: string; children: string }) {
  return (
    <div>
      <Text size="sm" fw={500}>
        {title}
      </Text>
      <Code block tabIndex={0} aria-label={title}>
        {children}
      </Code>
    </div>
  );
}

function indented(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2);
}
