import { Alert, Badge, Grid, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconListDetails } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { api, type Schemas } from '../../api/client';
import { Figure } from '../../kit/figure';
import { Page } from '../../kit/page';
import { RouteButton } from '../../kit/route-link';
import { formatDateTime, formatDuration, formatMoney, formatNumber } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { PlatformName } from './platform-name';
import { ReachedStages } from './reached-stages';
import { SessionFacts } from './session-facts';
import { Shown } from './shown';
import { pathTexts } from './path-texts';
import { journeyTexts } from './texts';
import { Timeline } from './timeline';

type Session = Schemas['SessionPathResponse'];

/** The path of one person through a session. */
export function SessionPage() {
  const t = useTexts(journeyTexts);
  const { sessionId } = useParams({ from: '/shell/journeys/$sessionId' });
  const session = api.useQuery('get', '/sessions/{sessionId}', { params: { path: { sessionId } } });
  return (
    <Shown part={t('session')} of={session}>
      {(found) => <Path session={found} />}
    </Shown>
  );
}

function Path({ session }: { session: Session }) {
  const t = useTexts(journeyTexts);
  const p = useTexts(pathTexts);
  const { baseCurrency } = api.useSuspenseQuery('get', '/').data;
  const { externalUserId, startedAt, lastActivityAt, appName, path, truncated, converted } = session;
  const seconds = (Date.parse(lastActivityAt) - Date.parse(startedAt)) / 1000;
  const actions = (
    <RouteButton
      to="/journeys"
      search={{ tab: 'sessions', ...(externalUserId !== null && { person: externalUserId }) }}
      variant="default"
      leftSection={<IconListDetails size={16} />}
    >
      {p(externalUserId === null ? 'allSessions' : 'sessionsOfPerson')}
    </RouteButton>
  );
  return (
    <Page
      title={externalUserId ?? p('anonymousSession')}
      subtitle={
        <Group gap="md" mt={4}>
          <Badge color={converted ? 'teal.9' : 'gray.7'}>{t(`converted_${converted}`)}</Badge>
          <Text size="sm">{formatDateTime(startedAt)}</Text>
          {appName !== null && <Text size="sm">{appName}</Text>}
          <PlatformName of={session.platform} from={session.firstPlatform} />
        </Group>
      }
      actions={actions}
    >
      <SimpleGrid cols={{ base: 2, md: 4 }}>
        <Figure label={p('duration')} value={formatDuration(seconds)} />
        <Figure label={t('events')} value={formatNumber(session.events)} />
        <Figure label={t('goals')} value={formatNumber(session.goals)} />
        {session.revenue !== null && (
          <Figure label={t('revenue')} value={formatMoney(session.revenue, baseCurrency)} />
        )}
      </SimpleGrid>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 7, lg: 8 }}>
          <Paper withBorder p="md" component="section" aria-label={p('path')}>
            <Title order={2} size="h5" mb="md">
              {p('path')}
            </Title>
            <Timeline session={session} />
            {truncated && (
              <Alert color="yellow" mt="md">
                {p('truncated', { count: path.length, formatted: formatNumber(path.length) })}
              </Alert>
            )}
          </Paper>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5, lg: 4 }}>
          <Stack gap="md">
            <ReachedStages session={session} />
            <SessionFacts session={session} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  );
}
