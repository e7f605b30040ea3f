import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { UnsubscribeItem_channel } from '../../api/values.gen';
import { useTexts } from '../../texts/texts';
import type { Channel } from './changes';
import { optOutTexts } from './texts';

interface Props {
  value: Channel;
  onChange: (channel: Channel) => void;
  error?: ReactNode;
}

export function ChannelField({ value, onChange, error }: Props) {
  const t = useTexts(optOutTexts);
  return (
    <Select
      label={t('channel')}
      data={UnsubscribeItem_channel.map((channel) => ({ value: channel, label: t(channel) }))}
      value={value}
      allowDeselect={false}
      error={error}
      onChange={(channel) => onChange(UnsubscribeItem_channel.find((one) => one === channel) ?? value)}
    />
  );
}
