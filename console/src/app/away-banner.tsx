import { Alert } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useEffect } from 'react';
import { client, queries } from '../api/client';
import { serviceAway } from '../api/session';
import { useStore } from '../api/store';
import { common } from '../texts/common';
import { useTexts } from '../texts/texts';

const PROBE_EVERY_MS = 2_000;

/** Tells that the service cannot be reached, and polls until it responds. */
export function AwayBanner() {
  const away = useStore(serviceAway);
  const t = useTexts(common);
  useEffect(() => {
    if (!away) return undefined;
    const timer = setInterval(() => {
      client
        .GET('/api/v1/console/sign-in-options')
        .then(() => (serviceAway.get() ? undefined : queries.invalidateQueries()))
        .catch(() => undefined);
    }, PROBE_EVERY_MS);
    return () => clearInterval(timer);
  }, [away]);
  if (!away) return null;
  return (
    <Alert
      role="status"
      color="orange"
      variant="filled"
      icon={<IconPlugConnectedX />}
      pos="fixed"
      bottom={0}
      left={0}
      right={0}
      radius={0}
      style={{ zIndex: 400 }}
      c="black"
    >
      {t('away')}
    </Alert>
  );
}
