import { Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../api/client';
import { Result } from '../../kit/loading';
import { Snippet } from '../../kit/snippet';
import { Step } from '../../kit/steps';
import { useTexts } from '../../texts/texts';
import { samplesOf } from './guides';
import { webSnippet } from './snippets';
import { appTexts } from './texts';

/** Calls to add to the app and its server. */
export function CodeStep({ app }: { app: Schemas['AppResponse'] }) {
  const t = useTexts(appTexts);
  const isWeb = app.platform === 'Web';
  const samples = useQuery({
    queryKey: ['samples', app],
    queryFn: () => samplesOf(app),
    staleTime: Infinity,
  });
  return (
    <Step state="todo" title={t('stepCode')}>
      <Text size="sm">{t(isWeb ? 'webText' : 'codeText')}</Text>
      {isWeb && <Snippet label={t('pageCode')} value={webSnippet(app)} />}
      <Result of={samples}>
        {(shown) => (
          <Tabs defaultValue={shown[0]?.name ?? null} keepMounted={false}>
            <Tabs.List>
              {shown.map(({ name }) => (
                <Tabs.Tab key={name} value={name}>
                  {name}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {shown.map(({ name, code }) => (
              <Tabs.Panel key={name} value={name} pt="xs">
                <Snippet label={name} value={code} />
              </Tabs.Panel>
            ))}
          </Tabs>
        )}
      </Result>
    </Step>
  );
}
