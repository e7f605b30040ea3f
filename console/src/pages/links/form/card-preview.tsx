import { Box, Center, Image, Loader, Paper, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPhoto } from '@tabler/icons-react';
import { useState } from 'react';
import { api } from '../../../api/client';
import { useMay } from '../../../api/may';
import { organizationUrl } from '../../../api/session-fetch';
import { errorText } from '../../../kit/toasts';
import { useTexts } from '../../../texts/texts';
import { formTexts } from './texts';

interface Props {
  /** The destination, whose page supplies missing values. */
  url: string;
  title: string;
  description: string;
  image: string;
}

const SETTLED_MS = 500;
const IMAGE_HEIGHT = 188;

/** The card that messengers show for a link. */
export function CardPreview({ url, title, description, image }: Props) {
  const t = useTexts(formTexts);
  const may = useMay('previewLink');
  const [settled] = useDebouncedValue(url, SETTLED_MS);
  const [settledImage] = useDebouncedValue(image, SETTLED_MS);
  const readable = may && isWebsite(settled);
  const page = api.useQuery(
    'get',
    '/link-preview',
    { params: { query: { url: settled } } },
    { enabled: readable, staleTime: Infinity, retry: false },
  );
  const read = readable ? page.data : undefined;
  const shownImage = settledImage || read?.image || '';
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        {t('preview')}
      </Text>
      <Paper
        withBorder
        maw={360}
        style={{ overflow: 'hidden' }}
        component="figure"
        m={0}
        aria-label={t('preview')}
      >
        <CardImage key={shownImage} url={may ? shownImage : ''} loading={readable && page.isLoading} />
        <Box p="sm">
          <Text fw={600} size="sm" lineClamp={2}>
            {title || read?.title || t('titleOfPage')}
          </Text>
          {(description || read?.description) && (
            <Text size="sm" c="dimmed" lineClamp={2}>
              {description || read?.description}
            </Text>
          )}
          <Text size="xs" c="dimmed" truncate>
            {URL.parse(settled)?.hostname ?? ''}
          </Text>
        </Box>
      </Paper>
      {readable && page.error && (
        <Text size="xs" c="dimmed">
          {t('notRead', { reason: errorText(page.error) })}
        </Text>
      )}
    </Stack>
  );
}

/** An image fetched by the service, because the Content-Security-Policy allows no other hosts. */
function CardImage({ url, loading }: { url: string; loading: boolean }) {
  const [failed, setFailed] = useState(false);
  if (isWebsite(url) && !failed) {
    return (
      <Image
        src={organizationUrl(`/images?${new URLSearchParams({ url })}`)}
        alt=""
        h={IMAGE_HEIGHT}
        fit="cover"
        onError={() => setFailed(true)}
      />
    );
  }
  return (
    <Center h={IMAGE_HEIGHT} bg="var(--mantine-color-default-hover)">
      {loading ? <Loader size="sm" /> : <IconPhoto size={32} opacity={0.4} aria-hidden />}
    </Center>
  );
}

function isWebsite(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.parse(url) !== null;
}
