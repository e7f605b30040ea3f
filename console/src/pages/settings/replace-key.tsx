import { NumberInput } from '@mantine/core';
import { useState } from 'react';
import { client } from '../../api/client';
import { Secret } from '../../kit/copy';
import { FormFrame, unwrap, useApiForm } from '../../kit/form';
import { Dialog } from '../../kit/dialog';
import { useTexts } from '../../texts/texts';
import { settingsTexts } from './texts';

/** Replaces a key; the old one works for some time. */
export function ReplaceKey({ id, onClose }: { id: number; onClose: () => void }) {
  const t = useTexts(settingsTexts);
  const [secret, setSecret] = useState<string | null>(null);
  const replace = useApiForm({
    initialValues: { overlapHours: 24 },
    send: (body) => unwrap(client.POST('/api-keys/{id}/regenerate', { params: { path: { id } }, body })),
    done: ({ apiKey }) => setSecret(apiKey),
  });
  return (
    <Dialog opened onClose={onClose} title={t('replaceKeyTitle')}>
      {secret === null ? (
        <FormFrame of={replace} label={t('replaceKey')}>
          <NumberInput
            clampBehavior="none"
            label={t('overlap')}
            min={0}
            allowDecimal={false}
            data-autofocus
            {...replace.form.getInputProps('overlapHours')}
          />
        </FormFrame>
      ) : (
        <Secret value={secret} label={t('key')} />
      )}
    </Dialog>
  );
}
