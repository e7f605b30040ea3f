import { Tabs, Text } from '@mantine/core';
import type { Schemas } from '../../api/client';
import { Snippet } from '../../kit/snippet';
import { Step } from '../../kit/steps';
import { useTexts } from '../../texts/texts';
import { KOTLIN, RELAY, SWIFT, webSnippet } from './snippets';
import { appTexts } from './texts';

/** What the app calls, and what its server adds. */
export function CodeStep({ app }: { app: Schemas['AppResponse'] }) {
  const t = useTexts(appTexts);
  const samples = {
    iOS: [['Swift', SWIFT]],
    Android: [['Kotlin', KOTLIN]],
    Web: [['HTML', webSnippet(app.id)]],
  }[app.platform];
  const shown = [...samples, ['Node.js', RELAY]] as [name: string, code: string][];
  return (
    <Step state="todo" title={t('stepCode')}>
      <Text size="sm">{t(app.platform === 'Web' ? 'webText' : 'codeText')}</Text>
      <Tabs defaultValue={shown[0]?.[0] ?? null} keepMounted={false}>
        <Tabs.List>
          {shown.map(([name]) => (
            <Tabs.Tab key={name} value={name}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {shown.map(([name, code]) => (
          <Tabs.Panel key={name} value={name} pt="xs">
            <Snippet label={name} value={code} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Step>
  );
}
