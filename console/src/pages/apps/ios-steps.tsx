import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Schemas } from '../../api/client';
import { CopyText } from '../../kit/copy';
import { Snippet } from '../../kit/snippet';
import { Step } from '../../kit/steps';
import { useTexts } from '../../texts/texts';
import { schemeName, urlType } from './snippets';
import { appTexts } from './texts';
import { useHosts } from './use-hosts';

interface Props {
  app: Schemas['AppResponse'];
  /** What Universal Links still need. */
  missing: ReactNode;
}

export function IosSteps({ app, missing }: Props) {
  const t = useTexts(appTexts);
  const hosts = useHosts(app.id);
  return (
    <>
      {app.scheme !== null && (
        <Step state="todo" title={t('urlTypes')}>
          <Text size="sm">{t('urlTypesText')}</Text>
          <Snippet label={t('urlTypes')} value={urlType(schemeName(app.scheme))} />
        </Step>
      )}
      <Step state={missing ? 'missing' : 'done'} title={t('stepUniversal')}>
        {missing}
        {app.teamId !== null && <CopyText label={t('appId')} value={`${app.teamId}.${app.bundleId ?? ''}`} />}
        <Text size="sm">{t('universalText')}</Text>
        <Snippet label={t('entitlements')} value={hosts.map((host) => `applinks:${host}`).join('\n')} />
      </Step>
    </>
  );
}
