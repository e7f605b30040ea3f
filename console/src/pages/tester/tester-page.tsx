import { Grid } from '@mantine/core';
import { Page } from '../../kit/page';
import { useTexts } from '../../texts/texts';
import { DebugLog } from './debug-log';
import { LinkTester } from './link-tester';
import { testerTexts } from './texts';

export function TesterPage() {
  const t = useTexts(testerTexts);
  return (
    <Page title={t('title')} subtitle={t('subtitle')}>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <LinkTester />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <DebugLog />
        </Grid.Col>
      </Grid>
    </Page>
  );
}
