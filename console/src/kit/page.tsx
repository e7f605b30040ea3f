import { Group, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';

interface Props {
  title: string;
  /** One line below the title. */
  subtitle?: ReactNode;
  /** Buttons at the end of the title's line. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A page with its title, which is also the window's, actions and content. */
export function Page({ title, subtitle, actions, children }: Props) {
  useDocumentTitle(`${title} · Waypost`);
  return (
    <Stack gap="lg" w="100%" maw={1400} mx="auto">
      <Group justify="space-between" align="flex-start">
        <div style={{ minWidth: 0 }}>
          <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          {subtitle !== undefined && (
            <Text c="dimmed" component="div" style={{ overflowWrap: 'anywhere' }}>
              {subtitle}
            </Text>
          )}
        </div>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
