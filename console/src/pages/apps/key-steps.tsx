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

type App = Schemas['AppResponse'];

/** The key that may be in the app and its pages. */
export function PublishableKeyStep({ app }: { app: App }) {
  const t = useTexts(appTexts);
  const administers = useMay('regenerateOrganizationAppPublishableKey');
  const { id, publishableKey, allowedOrigins } = app;
  const settings = api.useQuery('get', '/mobile-apps/{id}/settings', { params: { path: { id } } });
  const rate = settings.data?.sdkRatePerMinute;
  return (
    <Step state="todo" title={t('stepPublishable')}>
      <Text size="sm">{t('publishableText')}</Text>
      <Group align="flex-end" gap="md">
        <CopyText label={t('publishableKey')} value={publishableKey} />
        {administers && <Regenerate app={app} of="publishable" />}
      </Group>
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {allowedOrigins.length > 0
          ? t('originsListed', { origins: allowedOrigins.join(', ') })
          : t('originsAll')}
      </Text>
      {rate !== undefined && (
        <Text size="sm" c="dimmed">
          {t('rateText', { formatted: formatNumber(rate) })}
        </Text>
      )}
    </Step>
  );
}

/** The key of the app's servers. */
export function SecretKeyStep({ app }: { app: App }) {
  const t = useTexts(appTexts);
  const administers = useMay('regenerateOrganizationAppKey');
  const { id, apiKey } = app;
  return (
    <Step state="todo" title={t('stepSecret')}>
      <Text size="sm">{t('secretText')}</Text>
      {administers ? (
        <>
          <Group align="flex-end" gap="md">
            <CopyText label={t('secretKey')} value={apiKey} />
            <Regenerate app={app} of="secret" />
          </Group>
          <Snippet
            label={t('environment')}
            value={`WAYPOST_URL=${location.origin}\nWAYPOST_APP_ID=${id}\nWAYPOST_APP_KEY=${apiKey}`}
          />
        </>
      ) : (
        <Stack gap={2}>
          <Text size="sm" fw={500}>
            {t('secretKey')}
          </Text>
          <Group gap="xs">
            <Code>{apiKey}</Code>
            <Text size="sm" c="dimmed">
              {t('keyHidden')}
            </Text>
          </Group>
        </Stack>
      )}
    </Step>
  );
}

function Regenerate({ app, of }: { app: App; of: 'publishable' | 'secret' }) {
  const t = useTexts(appTexts);
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconRefresh size={14} />}
      onClick={() => regenerateKey(app, of, t)}
    >
      {t(of === 'secret' ? 'regenerateSecret' : 'regeneratePublishable')}
    </Button>
  );
}
