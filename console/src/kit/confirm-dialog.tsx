import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { common } from '../texts/common';
import { useTexts } from '../texts/texts';

export interface Question {
  readonly title: string;
  readonly text: string;
  readonly confirm: string;
  /** A text to type as confirmation, for actions that cannot be undone. */
  readonly name?: string;
  readonly danger?: boolean;
}

export function ConfirmDialog({
  title,
  text,
  confirm: label,
  name,
  danger = name !== undefined,
  answer,
}: Question & { answer: (yes: boolean) => void }) {
  const t = useTexts(common);
  const [typed, setTyped] = useState('');
  const ready = name === undefined || typed.trim() === name;
  return (
    <Modal
      opened
      onClose={() => answer(false)}
      title={title}
      zIndex={450}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) answer(true);
        }}
      >
        <Stack>
          <Text style={{ overflowWrap: 'anywhere' }}>{text}</Text>
          {name !== undefined && (
            <TextInput
              data-autofocus
              label={t('typeName', { name })}
              value={typed}
              autoComplete="off"
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => answer(false)}>
              {t('cancel')}
            </Button>
            <Button
              type="submit"
              color={danger ? 'red.8' : undefined}
              disabled={!ready}
              data-autofocus={name === undefined || undefined}
            >
              {label}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
