import { Accordion, Code, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { api, type Schemas } from '../../api/client';
import { useAllApps } from '../../kit/use-all';
import { Result } from '../../kit/loading';
import { RouteLink } from '../../kit/route-link';
import { Snippet } from '../../kit/snippet';
import { formatDateTime, formatNumber } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { testerTexts } from './texts';

const REFRESH_MS = 3_000;
const SHOWN = 50;
const FIELDS = ['appUrl', 'intentUrl', 'appScheme', 'schemeEnd', 'pathPart', 'androidPackage'] as const;

/** Reports of pages about their attempts to open the app, newest first. */
export function DebugLog() {
  const t = useTexts(testerTexts);
  const reports = api.useQuery(
    'get',
    '/debug-schemes',
    { params: { query: { size: SHOWN } } },
    { refetchInterval: REFRESH_MS },
  );
  const names = new Map(useAllApps().map(({ id, appName }) => [id, appName]));
  return (
    <Paper withBorder p={{ base: 'sm', sm: 'md' }}>
      <Stack>
        <div>
          <Title order={2} size="h5">
            {t('logTitle')}
          </Title>
          <Text size="sm" c="dimmed">
            {t('logText')}
          </Text>
        </div>
        <Result of={reports}>
          {({ content, totalElements }) => (
            <>
              {content.length === 0 ? (
                <Text size="sm">{t('logEmpty')}</Text>
              ) : (
                <Stack
                  component="ol"
                  aria-label={t('logTitle')}
                  aria-live="polite"
                  tabIndex={0}
                  gap="xs"
                  p={0}
                  m={0}
                  mah={560}
                  style={{ listStyle: 'none', overflowY: 'auto' }}
                >
                  {content.map((report) => (
                    <Report key={report.id} report={report} app={names.get(report.appId ?? 0)} />
                  ))}
                </Stack>
              )}
              {totalElements > content.length && (
                <Text size="xs" c="dimmed">
                  {t('older', { shown: content.length, total: formatNumber(totalElements) })}
                </Text>
              )}
              <HowTo opened={content.length === 0} />
            </>
          )}
        </Result>
      </Stack>
    </Paper>
  );
}

function Report({ report, app }: { report: Schemas['DebugSchemeResponse']; app: string | undefined }) {
  const t = useTexts(testerTexts);
  const { appId, receivedAt } = report;
  return (
    <Paper component="li" withBorder p="xs">
      <Group justify="space-between" gap="xs" mb={4}>
        {appId === null ? (
          <Text size="sm">{t('unknownApp')}</Text>
        ) : (
          <RouteLink to="/apps/$id" params={{ id: String(appId) }} size="sm">
            {app ?? String(appId)}
          </RouteLink>
        )}
        <Text size="xs" c="dimmed" className="numbers">
          {formatDateTime(receivedAt)}
        </Text>
      </Group>
      {FIELDS.map((field) => {
        const value = report[field];
        return (
          value && (
            <Group key={field} gap={6} align="baseline" wrap="nowrap">
              <Text size="xs" c="dimmed" w={96} style={{ flexShrink: 0 }}>
                {t(field)}
              </Text>
              <Code style={{ overflowWrap: 'anywhere' }}>{value}</Code>
            </Group>
          )
        );
      })}
    </Paper>
  );
}

const WEB_SDK = `Waypost.getInstance().debugScheme({
  appUrl: 'exampleshop://products/42',
  appScheme: 'exampleshop',
  schemeEnd: '://',
  pathPart: 'products/42',
  androidPackage: 'com.example.shop',
});`;

const http = () => `curl ${location.origin}/api/v1/sdk/web/deeplink/debug-scheme \\
  -H 'Content-Type: application/json' \\
  -d '{"appUrl": "exampleshop://products/42"}'`;

function HowTo({ opened }: { opened: boolean }) {
  const t = useTexts(testerTexts);
  return (
    <Accordion variant="contained" defaultValue={opened ? 'how' : null}>
      <Accordion.Item value="how">
        <Accordion.Control>{t('howTo')}</Accordion.Control>
        <Accordion.Panel>
          <Stack gap="xs">
            <Text size="sm">{t('howToText')}</Text>
            <Snippet label={t('webSdk')} value={WEB_SDK} />
            <Snippet label={t('http')} value={http()} />
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
