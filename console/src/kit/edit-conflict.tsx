import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTexts } from '../texts/texts';
import { common } from '../texts/common';

export interface ConflictField {
  readonly field: string;
  readonly sent?: unknown;
  readonly stored?: unknown;
}

interface Props {
  fields: readonly ConflictField[];
  busy: boolean;
  onKeep: () => void;
  onTake: () => void;
}

/** What somebody else has saved meanwhile, beside what the user typed, which stays until they choose. */
export function EditConflict({ fields, busy, onKeep, onTake }: Props) {
  const t = useTexts(common);
  const box = useRef<HTMLDivElement>(null);
  // The form may be longer than the screen.
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <Alert ref={box} color="orange" role="alert">
      <Stack gap="sm">
        <Text fw={600}>{t('conflict')}</Text>
        {fields.map(({ field, sent, stored }) => (
          <div key={field}>
            <Text size="sm" fw={600}>
              {field}
            </Text>
            <Value label={t('yours')} value={sent} />
            <Value label={t('stored')} value={stored} />
          </div>
        ))}
        <Group gap="xs">
          <Button size="compact-md" loading={busy} onClick={onKeep}>
            {t('keepYours')}
          </Button>
          <Button size="compact-md" variant="default" disabled={busy} onClick={onTake}>
            {t('takeStored')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

function Value({ label, value }: { label: string; value: unknown }) {
  const isEmpty = value === null || value === undefined || value === '';
  const shown = isEmpty ? '–' : typeof value === 'string' ? value : JSON.stringify(value);
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {label}: {shown}
    </Text>
  );
}
