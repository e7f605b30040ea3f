import { TextInput } from '@mantine/core';
import { client, type Schemas } from '../../api/client';
import { FormFrame, unwrap, useApiForm } from '../../kit/form';
import { Panel } from '../../kit/panel';
import { showDone } from '../../kit/toasts';
import { useTexts } from '../../texts/texts';
import { domainTexts } from './texts';

interface Props {
  onClose: () => void;
  onDone: (domain: Schemas['CustomDomainResponse']) => void;
}

export function AddDomain({ onClose, onDone }: Props) {
  const t = useTexts(domainTexts);
  const add = useApiForm({
    initialValues: { domainName: '' },
    send: ({ domainName }) =>
      unwrap(client.POST('/custom-domains', { body: { domainName: domainName.trim() } })),
    done: (domain) => {
      showDone(t('added'));
      onClose();
      onDone(domain);
    },
  });
  return (
    <Panel opened title={t('addTitle')} onClose={onClose} size="md">
      <FormFrame of={add} label={t('add')}>
        <TextInput
          label={t('name')}
          description={t('nameHint')}
          placeholder="links.example.com"
          required
          data-autofocus
          autoCapitalize="none"
          spellCheck={false}
          {...add.form.getInputProps('domainName')}
        />
      </FormFrame>
    </Panel>
  );
}
