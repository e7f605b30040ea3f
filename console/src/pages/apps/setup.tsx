import { Button, Group, Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { api, type Schemas } from '../../api/client';
import { May } from '../../api/may';
import { CopyText } from '../../kit/copy';
import { Step, Steps } from '../../kit/steps';
import { WebLink } from '../../kit/web-link';
import { formatNumber, formatPercent } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { AndroidSteps } from './android-steps';
import { CodeStep } from './code-step';
import { IosSteps } from './ios-steps';
import { PublishableKeyStep, SecretKeyStep } from './key-steps';
import { appTexts } from './texts';

type App = Schemas['AppResponse'];
export type WarningCode = App['warnings'][number]['code'];

interface Props {
  app: App;
  onFill: () => void;
}

/** Set-up of the app and its server, with what is done and what is missing. */
export function Setup({ app, onFill }: Props) {
  const t = useTexts(appTexts);
  const lacks = (code: WarningCode) => app.warnings.some((warning) => warning.code === code);
  const missing = (code: WarningCode) => <Missing code={code} onFill={onFill} />;
  return (
    <Steps label={t('tabSetup')}>
      <Step state="done" title={t('stepRegistered')}>
        <Text size="sm">{t('registeredText')}</Text>
        <Group gap="xl">
          <CopyText
            label={t(app.platform === 'Android' ? 'packageName' : 'bundleId')}
            value={app.bundleId ?? '–'}
          />
          <CopyText label={t('path')} value={`/${app.path}/`} />
          <CopyText label={t('id')} value={String(app.id)} />
        </Group>
      </Step>
      <PublishableKeyStep app={app} />
      {app.platform !== 'Web' && (
        <Step state={lacks('NO_APP_PAGE') ? 'missing' : 'done'} title={t('stepOpen')}>
          {lacks('NO_APP_PAGE') && missing('NO_APP_PAGE')}
          <Group gap="xl" align="flex-start">
            {app.scheme !== null && <CopyText label={t('scheme')} value={app.scheme} />}
            {app.storeUrl !== null && (
              <Labelled label={t('storeUrl')}>
                <WebLink href={app.storeUrl} size="sm" />
              </Labelled>
            )}
          </Group>
        </Step>
      )}
      {app.platform === 'iOS' && (
        <IosSteps app={app} missing={lacks('NO_UNIVERSAL_LINKS') ? missing('NO_UNIVERSAL_LINKS') : null} />
      )}
      {app.platform === 'Android' && (
        <AndroidSteps app={app} missing={lacks('NO_APP_LINKS') ? missing('NO_APP_LINKS') : null} />
      )}
      <SecretKeyStep app={app} />
      <CodeStep app={app} />
      <CallsStep id={app.id} />
    </Steps>
  );
}

function Missing({ code, onFill }: { code: WarningCode; onFill: () => void }) {
  const t = useTexts(appTexts);
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm" flex={1} miw={200}>
        {t(code)}
      </Text>
      <May call="updateOrganizationApp">
        <Button size="xs" leftSection={<IconPencil size={14} />} onClick={onFill}>
          {t('fill')}
        </Button>
      </May>
    </Group>
  );
}

function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div style={{ minWidth: 0 }}>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      {children}
    </div>
  );
}

const REFRESH_MS = 15_000;

/** Whether the app has called the API; polls until it has. */
function CallsStep({ id }: { id: number }) {
  const t = useTexts(appTexts);
  const { data } = api.useQuery(
    'get',
    '/mobile-apps/{id}/install-stats',
    { params: { path: { id } } },
    {
      refetchInterval: ({ state }) => (state.data?.qualityStats.totalAttempts ? false : REFRESH_MS),
    },
  );
  const { totalAttempts = 0, successRate = 0 } = data?.qualityStats ?? {};
  return (
    <Step state={totalAttempts > 0 ? 'done' : 'waiting'} title={t('stepCalls')}>
      <Text size="sm">
        {totalAttempts > 0
          ? t('callsDone', {
              count: totalAttempts,
              formatted: formatNumber(totalAttempts),
              rate: formatPercent(successRate / 100),
            })
          : t('callsWaiting')}
      </Text>
    </Step>
  );
}
