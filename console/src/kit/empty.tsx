import { Center, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface Props {
  icon: Icon;
  title: string;
  /** What to do first. */
  text: string;
  action?: ReactNode;
}

/** Replaces an empty list. */
export function Empty({ icon: Icon, title, text, action }: Props) {
  return (
    <Center py={48} px="md">
      <Stack align="center" gap="sm" maw={460}>
        <ThemeIcon size={56} radius="xl" variant="light">
          <Icon size={28} stroke={1.6} />
        </ThemeIcon>
        <Title order={2} size="h4" ta="center">
          {title}
        </Title>
        <Text c="dimmed" ta="center">
          {text}
        </Text>
        {action}
      </Stack>
    </Center>
  );
}
