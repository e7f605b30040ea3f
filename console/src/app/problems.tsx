import { Button, Center, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { errorText } from '../kit/toasts';
import { common } from '../texts/common';
import { useTexts } from '../texts/texts';

export function NotFound() {
  const t = useTexts(common);
  return (
    <Center mih="60vh">
      <Stack align="center">
        <Title order={1} size="h3">
          {t('notFound')}
        </Title>
        <Button component={Link} to="/">
          {t('toOverview')}
        </Button>
      </Stack>
    </Center>
  );
}

/** Replaces a page that failed to render, or whose script could not be loaded after an update. */
export function Broken({ error }: { error: unknown }) {
  const t = useTexts(common);
  return (
    <Center mih="60vh">
      <Stack align="center" role="alert">
        <Title order={1} size="h3">
          {t('broken')}
        </Title>
        <Text c="dimmed">{error instanceof Error ? error.message : errorText(error)}</Text>
        <Button onClick={() => location.reload()}>{t('reload')}</Button>
      </Stack>
    </Center>
  );
}
