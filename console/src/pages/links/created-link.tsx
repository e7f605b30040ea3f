import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { CopyText } from '../../kit/copy';
import { RouteButton } from '../../kit/route-link';
import { common } from '../../texts/common';
import { useTexts } from '../../texts/texts';
import { CardPreview } from './form/card-preview';
import type { Link } from './link';
import { QrCode } from './qr-code';
import { linkTexts } from './texts';

interface Props {
  link: Link;
  onClose: () => void;
  onAnother: () => void;
}

/** A new link: its URL, QR code, and card. */
export function CreatedLink({ link, onClose, onAnother }: Props) {
  const t = useTexts(linkTexts);
  const c = useTexts(common);
  const top = useRef<HTMLDivElement>(null);
  // Scrolls up, because the panel is still at the end of the form.
  useEffect(() => {
    // Not returned: Chromium returns a promise, which React would take for a clean-up function.
    top.current?.scrollIntoView({ block: 'start' });
    top.current?.focus({ preventScroll: true });
  }, []);
  return (
    <Stack>
      <Alert ref={top} tabIndex={-1} color="teal" icon={<IconCheck />} role="status">
        {t('made')}
      </Alert>
      <CopyText label={t('shortAddress')} value={link.link} />
      <Stack gap={4}>
        <Text size="sm" fw={500}>
          {t('qr')}
        </Text>
        <QrCode link={link} />
      </Stack>
      <CardPreview
        url={link.originalUrl}
        title={link.ogTitle ?? ''}
        description={link.ogDescription ?? ''}
        image={link.ogImageUrl ?? ''}
      />
      <Group justify="flex-end" gap="xs">
        <Button variant="subtle" onClick={onClose}>
          {c('close')}
        </Button>
        <Button variant="default" onClick={onAnother}>
          {t('another')}
        </Button>
        <RouteButton to="/links/$id" params={{ id: String(link.id) }}>
          {t('openPage')}
        </RouteButton>
      </Group>
    </Stack>
  );
}
