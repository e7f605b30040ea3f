import { TextInput } from '@mantine/core';
import { client } from '../../api/client';
import { FormFrame, unwrap, useApiForm } from '../../kit/form';
import { limited } from '../../kit/limited';
import { Panel } from '../../kit/panel';
import { showDone, showError } from '../../kit/toasts';
import { useTexts } from '../../texts/texts';
import { type Channel, removeOptOut } from './changes';
import { ChannelField } from './channel-field';
import { optOutTexts } from './texts';

interface Props {
  channel: Channel;
  onClose: () => void;
}

export function RegisterPanel({ channel: first, onClose }: Props) {
  const t = useTexts(optOutTexts);
  const register = useApiForm({
    initialValues: { channel: first, value: '', source: '', unsubscribedAt: '' },
    send: ({ channel, value, source, unsubscribedAt }) => {
      const at = new Date(unsubscribedAt);
      const body = {
        channel,
        value,
        source: source === '' ? null : source,
        unsubscribedAt: Number.isNaN(at.getTime()) ? unsubscribedAt || null : at.toISOString(),
      };
      return unwrap(client.POST('/messaging/unsubscribes', { body }));
    },
    done: ({ channel, value, duplicated }) => {
      if (duplicated) showDone(t('wasRegistered'));
      else showDone(t('registered'), () => void removeOptOut({ channel, value }).catch(showError));
      onClose();
    },
  });
  const { form } = register;
  const { channel } = form.getValues();
  return (
    <Panel opened title={t('registerTitle')} onClose={onClose}>
      <FormFrame of={register} label={t('register')}>
        <ChannelField
          value={channel}
          error={form.errors.channel}
          onChange={(next) => form.setFieldValue('channel', next)}
        />
        <TextInput
          label={t(`value_${channel}`)}
          required

          data-autofocus
          {...limited(320, form.getInputProps('value'))}
        />
        <TextInput
          label={t('source')}
          description={t('sourceHint')}
          {...limited(200, form.getInputProps('source'))}
        />
        <TextInput
          type="datetime-local"
          label={t('unsubscribedAt')}
          description={t('unsubscribedAtHint')}
          {...form.getInputProps('unsubscribedAt')}
        />
      </FormFrame>
    </Panel>
  );
}
