import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { importOrganizationUnsubscribes_method } from '../../api/values.gen';
import { CsvImportPanel } from '../../kit/csv-import/csv-import-panel';
import { limited } from '../../kit/limited';
import { useTexts } from '../../texts/texts';
import type { Channel } from './changes';
import { ChannelField } from './channel-field';
import { type Method, optOutImport } from './opt-out-import';
import { optOutTexts } from './texts';

const EXAMPLE = {
  name: 'opt-outs-example.csv',
  content: 'value,source,unsubscribedAt\r\n010-2345-6789,spring campaign,2026-11-20T08:32:00Z\r\n',
};

export function ImportPanel({ channel: first, onClose }: { channel: Channel; onClose: () => void }) {
  const t = useTexts(optOutTexts);
  const [channel, setChannel] = useState(first);
  const [method, setMethod] = useState<Method>('CSV');
  const [source, setSource] = useState('');
  return (
    <CsvImportPanel
      of={optOutImport}
      settings={{ channel, method, source: source.trim() }}
      title={t('importTitle')}
      text={t('importText')}
      example={EXAMPLE}
      at={t('row')}
      onClose={onClose}
    >
      <ChannelField value={channel} onChange={setChannel} />
      <Select
        label={t('method')}
        data={importOrganizationUnsubscribes_method.map((value) => ({ value, label: t(`method_${value}`) }))}
        value={method}
        allowDeselect={false}
        onChange={(value) =>
          setMethod(importOrganizationUnsubscribes_method.find((one) => one === value) ?? 'CSV')
        }
      />
      <TextInput
        label={t('source')}
        description={t('sourceHint')}
        {...limited(200, { value: source })}
        onChange={(event) => setSource(event.currentTarget.value)}
      />
    </CsvImportPanel>
  );
}
