import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { fieldName } from '../api/errors';
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

/** Shows what somebody else has saved meanwhile beside the user's input, which is kept until they choose. */
export function EditConflict({ fields, busy, onKeep, onTake }: Props) {
  const t = useTexts(common);
  const box = useRef<HTMLDivElement>(null);
  const [labels, setLabels] = useState<Readonly<Record<string, string>>>({});
  // Scrolls into view, because the form may be longer than the screen.
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'center' });
  }, []);
  useEffect(() => {
    const form = box.current?.closest('form');
    setLabels(Object.fromEntries(fields.map(({ field }) => [field, labelOf(field, form)])));
  }, [fields]);
  return (
    <Alert ref={box} color="orange" role="alert">
      <Stack gap="sm">
        <Text fw={600}>{t('conflict')}</Text>
        {fields.map(({ field, sent, stored }) => (
          <div key={field}>
            <Text size="sm" fw={600}>
              {labels[field]}
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

/** The label of a field in the form. */
function labelOf(field: string, form: HTMLFormElement | null | undefined): string {
  const input = form?.querySelector<HTMLInputElement>(`[data-path="${field}"]`);
  const label = input?.labels?.[0] ?? input?.closest('.mantine-InputWrapper-root')?.querySelector('label');
  return label?.textContent.replace('*', '').trim() ?? fieldName(field);
}

function Value({ label, value }: { label: string; value: unknown }) {
  const t = useTexts(common);
  const list = Array.isArray(value) ? value : [value];
  const isText = list.every((item) => typeof item === 'string' || typeof item === 'number');
  const isEmpty = value === null || value === undefined || value === '' || list.length === 0;
  const shown =
    typeof value === 'boolean' ? t(value ? 'yes' : 'no') : isText ? list.join(', ') : t('conflictDiffers');
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {label}: {isEmpty ? '–' : shown}
    </Text>
  );
}
