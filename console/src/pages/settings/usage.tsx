import { Alert, Paper, Stack, Table, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { api, type Schemas } from '../../api/client';
import { Result } from '../../kit/loading';
import { formatNumber } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { settingsTexts } from './texts';

/** In display order. */
const COUNTED = [
  'links',
  'monthlyClicks',
  'contacts',
  'apps',
  'customDomains',
  'campaigns',
  'contactGroups',
  'apiKeys',
  'users',
  'invitations',
  'allowListEntries',
  'webhookEndpoints',
  'concurrentImports',
  'liveListeners',
] as const;
const RETENTION = [
  ['clickRetentionDays', 'days'],
  ['eventRetentionDays', 'days'],
  ['rollupRetentionMonths', 'months'],
  ['auditRetentionMonths', 'months'],
] as const;

export function Usage() {
  const t = useTexts(settingsTexts);
  const usage = api.useQuery('get', '/usage');
  return (
    <Paper withBorder p="lg">
      <Stack gap="sm">
        <Title order={2} size="h4">
          {t('usage')}
        </Title>
        <Result of={usage}>
          {(data) => (
            <>
              <ClickNotice {...data.monthlyClicks} />
              <Table aria-label={t('usage')}>
                <Table.Tbody>
                  {COUNTED.map((name) => (
                    <Row
                      key={name}
                      label={t(name)}
                      value={t('usageOfLimit', {
                        usage: formatNumber(data[name].usage),
                        limit: formatNumber(data[name].limit),
                      })}
                    />
                  ))}
                  <Row label={t('importRows')} value={formatNumber(data.importRows.limit)} />
                  {RETENTION.map(([name, unit]) => (
                    <Row key={name} label={t(name)} value={t(unit, { count: data.retention[name] })} />
                  ))}
                </Table.Tbody>
              </Table>
            </>
          )}
        </Result>
      </Stack>
    </Paper>
  );
}

function ClickNotice({ exceeded, usage, limit }: Schemas['MonthlyClicksUsage']) {
  const t = useTexts(settingsTexts);
  if (!exceeded) return null;
  return (
    <Alert color="orange" icon={<IconAlertTriangle />} title={t('tooManyClicks')}>
      {t('tooManyClicksText', { usage: formatNumber(usage), limit: formatNumber(limit) })}
    </Alert>
  );
}

function Row({ label, value }: { label: string; value: string }) {
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400}>
        {label}
      </Table.Th>
      <Table.Td ta="right">{value}</Table.Td>
    </Table.Tr>
  );
}
