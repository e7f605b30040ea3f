import { Box, Center, Paper, Stack, Text } from '@mantine/core';
import { IconPhoto } from '@tabler/icons-react';
import { useTexts } from '../../../texts/texts';
import { formTexts } from './texts';

interface Props {
  /** The destination, whose page gives what the link has not. */
  url: string;
  title: string;
  description: string;
  image: string;
}

/** The card that messengers show of a link. */
export function CardPreview({ url, title, description }: Props) {
  const t = useTexts(formTexts);
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        {t('preview')}
      </Text>
      <Paper withBorder maw={360} style={{ overflow: 'hidden' }} role="img" aria-label={t('preview')}>
        <Center h={160} bg="var(--mantine-color-default-hover)">
          <IconPhoto size={32} opacity={0.4} aria-hidden />
        </Center>
        <Box p="sm">
          <Text fw={600} size="sm" lineClamp={2}>
            {title || t('titleOfPage')}
          </Text>
          {description && (
            <Text size="sm" c="dimmed" lineClamp={2}>
              {description}
            </Text>
          )}
          <Text size="xs" c="dimmed" truncate>
            {URL.parse(url)?.hostname ?? ''}
          </Text>
        </Box>
      </Paper>
    </Stack>
  );
}
