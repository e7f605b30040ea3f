import { Badge, Group, Paper, Stack, ThemeIcon, Title } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconClock, IconPointFilled } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTexts } from '../texts/texts';
import { WARNING } from './colors';
import { stepTexts } from './steps-texts';

export type StepState = 'done' | 'missing' | 'waiting' | 'todo';

const LOOKS = {
  done: { icon: IconCheck, color: 'teal.9' },
  missing: { icon: IconAlertTriangle, color: WARNING },
  waiting: { icon: IconClock, color: 'waypost' },
  todo: { icon: IconPointFilled, color: 'gray.7' },
} as const;

/** The steps of a set-up. */
export function Steps({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Stack component="ol" aria-label={label} gap="md" p={0} m={0} style={{ listStyle: 'none' }}>
      {children}
    </Stack>
  );
}

interface StepProps {
  state: StepState;
  title: string;
  children: ReactNode;
}

/** @param state `todo`: a manual step whose completion cannot be detected */
export function Step({ state, title, children }: StepProps) {
  const t = useTexts(stepTexts);
  const { icon: Icon, color } = LOOKS[state];
  return (
    <Paper component="li" withBorder p={{ base: 'sm', sm: 'md' }}>
      <Group align="flex-start" wrap="nowrap" gap="md">
        <ThemeIcon radius="xl" size={30} color={color} visibleFrom="xs" aria-hidden>
          <Icon size={18} />
        </ThemeIcon>
        <Stack gap="sm" flex={1} miw={0}>
          <Group justify="space-between" gap="xs">
            <Title order={2} size="h5">
              {title}
            </Title>
            <Badge {...(state === 'todo' ? { variant: 'default' } : { color })}>{t(state)}</Badge>
          </Group>
          {children}
        </Stack>
      </Group>
    </Paper>
  );
}
