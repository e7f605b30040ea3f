import { Alert, Button, Group, Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { isApiError, isPassing } from '../api/errors';
import { common } from '../texts/common';
import { useTexts } from '../texts/texts';
import { Fresh } from './fresh';
import { errorText } from './toasts';

export function Loading({ lines = 4 }: { lines?: number }) {
  const t = useTexts(common);
  return (
    <Stack role="status">
      <VisuallyHidden>{t('loading')}</VisuallyHidden>
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} height={line === 0 ? 32 : 20} width={line === 0 ? '40%' : '100%'} />
      ))}
    </Stack>
  );
}

interface Loaded<T> {
  data: T | undefined;
  error: unknown;
  refetch: () => unknown;
  /** Whether the data belong to another filter or range. */
  isPlaceholderData?: boolean;
}

/** Whether a retry is pointless, because the request is invalid or nothing exists. */
function isFinal(error: unknown): boolean {
  return isApiError(error) && [400, 404].includes(error.status);
}

/** Shows the data of a query, or until then a skeleton, or the API's error. */
export function Result<T>({
  of,
  lines,
  children,
}: {
  of: Loaded<T>;
  lines?: number;
  children: (data: T) => ReactNode;
}) {
  if (of.data !== undefined) {
    return <Fresh stale={of.isPlaceholderData ?? false}>{children(of.data)}</Fresh>;
  }
  if (of.error && !isPassing(of.error)) {
    const retry = isFinal(of.error) ? {} : { retry: () => void of.refetch() };
    return <Problem error={of.error} {...retry} />;
  }
  return <Loading {...(lines !== undefined && { lines })} />;
}

/** The API's error, with a button that retries. */
export function Problem({ error, retry }: { error: unknown; retry?: () => void }) {
  const t = useTexts(common);
  return (
    <Alert color="red" icon={<IconAlertTriangle />} role="alert">
      <Group justify="space-between">
        {errorText(error)}
        {retry && (
          <Button size="compact-sm" variant="default" onClick={retry}>
            {t('tryAgain')}
          </Button>
        )}
      </Group>
    </Alert>
  );
}
