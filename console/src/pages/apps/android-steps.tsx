import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Schemas } from '../../api/client';
import { useAllApps } from '../../kit/use-all';
import { Snippet } from '../../kit/snippet';
import { Step } from '../../kit/steps';
import { useTexts } from '../../texts/texts';
import { INSTALL_REFERRER, intentFilters } from './snippets';
import { appTexts } from './texts';
import { useHosts } from './use-hosts';

interface Props {
  app: Schemas['AppResponse'];
  /** What App Links still need. */
  missing: ReactNode;
}

export function AndroidSteps({ app, missing }: Props) {
  const t = useTexts(appTexts);
  const hosts = useHosts(app.id);
  // A link for both an iOS and an Android app is under the path of the iOS app.
  const iosPaths = useAllApps()
    .filter(({ platform }) => platform === 'iOS')
    .map(({ path }) => path);
  const fingerprints = app.sha256CertFingerprints;
  return (
    <>
      <Step state={missing ? 'missing' : 'done'} title={t('stepAppLinks')}>
        {missing}
        {fingerprints.length > 0 && (
          <Stack gap={2}>
            <Text size="sm" fw={500}>
              {t('fingerprints')}
            </Text>
            <Snippet label={t('fingerprints')} value={fingerprints.join('\n')} />
          </Stack>
        )}
        <Text size="sm">{t('appLinksText')}</Text>
        <Snippet label={t('manifest')} value={intentFilters(app, hosts, [app.path, ...iosPaths])} />
      </Step>
      <Step state="todo" title={t('stepReferrer')}>
        <Text size="sm">{t('referrerText')}</Text>
        <Snippet label={t('dependency')} value={INSTALL_REFERRER} />
      </Step>
    </>
  );
}
