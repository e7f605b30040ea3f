import { Group, Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconCheck, IconMinus } from '@tabler/icons-react';
import type { Schemas } from '../../api/client';
import { ListedSession_stages } from '../../api/values.gen';
import { formatTime } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { pathTexts } from './path-texts';
import { journeyTexts } from './texts';

/** The stages of the funnel, with the times at which the session reached them. */
export function ReachedStages({ session }: { session: Schemas['SessionPathResponse'] }) {
  const t = useTexts(journeyTexts);
  const p = useTexts(pathTexts);
  return (
    <Paper withBorder p="md" component="section" aria-label={p('stages')}>
      <Title order={2} size="h5" mb="sm">
        {p('stages')}
      </Title>
      <Stack component="ol" gap={8} m={0} p={0} style={{ listStyle: 'none' }}>
        {ListedSession_stages.map((stage) => {
          const reached = session.reachedStages.find((each) => each.stage === stage);
          return (
            <Group key={stage} component="li" gap="xs" wrap="nowrap">
              <ThemeIcon
                size={20}
                radius="xl"
                color={reached ? 'teal.9' : 'gray'}
                variant={reached ? 'filled' : 'light'}
              >
                {reached ? <IconCheck size={12} aria-hidden /> : <IconMinus size={12} aria-hidden />}
              </ThemeIcon>
              <Text size="sm" c={reached ? undefined : 'dimmed'} flex={1}>
                {t(stage)}
              </Text>
              <Text size="xs" c="dimmed" className="numbers">
                {!reached
                  ? p('notReached')
                  : reached.reachedAt === null
                    ? p('reached')
                    : formatTime(reached.reachedAt)}
              </Text>
            </Group>
          );
        })}
      </Stack>
    </Paper>
  );
}
