import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { api, type Schemas } from '../../api/client';
import { useMay } from '../../api/may';
import { CopyText } from '../../kit/copy';
import { Snippet } from '../../kit/snippet';
import { Step } from '../../kit/steps';
import { formatNumber } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { regenerateKey } from './app-menu';
import { appTexts } from './texts';

/** The app's key, which belongs on the server of the app's developer. */
export function KeyStep({ app }: { app: Schemas['AppResponse'] }) {
  const t = useTexts(appTexts);
  const whole = useMay('regenerateAppKey');
  const { id, apiKey } = app;
  const settings = api.useQuery('get', '/mobile-apps/{id}/settings', { params: { path: { id } } });
  const rate = settings.data?.sdkRatePerMinute;
  return (
    <Step state="todo" title={t('stepKey')}>
      <Text size="sm">{t('keyText')}</Text>
      {whole ? (
        <>
          <Group align="flex-end" gap="md">
            <CopyText label={t('key')} value={apiKey} />
            <Button
              size="xs"
              variant="default"
              leftSection={<IconRefresh size={14} />}
              onClick={() => regenerateKey(app, t)}
            >
              {t('regenerate')}
            </Button>
          </Group>
          <Snippet
            label={t('environment')}
            value={`WAYPOST_URL=${location.origin}\nWAYPOST_APP_ID=${id}\nWAYPOST_APP_KEY=${apiKey}`}
          />
        </>
      ) : (
        <Stack gap={2}>
          <Text size="sm" fw={500}>
            {t('key')}
          </Text>
          <Group gap="xs">
            <Code>{apiKey}</Code>
            <Text size="sm" c="dimmed">
              {t('keyHidden')}
            </Text>
          </Group>
        </Stack>
      )}
      {rate !== undefined && (
        <Text size="sm" c="dimmed">
          {t('rateText', { formatted: formatNumber(rate) })}
        </Text>
      )}
    </Step>
  );
}
