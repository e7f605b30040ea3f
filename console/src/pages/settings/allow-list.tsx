import { Button, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconShieldLock } from '@tabler/icons-react';
import { useMemo } from 'react';
import { api, client, PAGED, queries, type Schemas } from '../../api/client';
import { type Column, DataTable } from '../../kit/data-table';
import { Empty } from '../../kit/empty';
import { FormFrame, unwrap, useApiForm } from '../../kit/form';
import { Result } from '../../kit/loading';
import { Dialog } from '../../kit/dialog';
import { showDone, showError } from '../../kit/toasts';
import { formatDate } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { settingsTexts } from './texts';

type Address = Schemas['AllowedIpResponse'];

const addAddress = ({ cidr, label }: Pick<Address, 'cidr' | 'label'>) =>
  unwrap(client.POST('/ip-allow-list', { body: { cidr, label } }));

export function AllowList() {
  const t = useTexts(settingsTexts);
  const [adding, dialog] = useDisclosure(false);
  const list = api.useInfiniteQuery('get', '/ip-allow-list', { params: { query: { size: 100 } } }, PAGED);
  const columns = useMemo<Column<Address>[]>(() => {
    const restore = async (removed: Address) => {
      await addAddress(removed);
      await queries.invalidateQueries();
    };
    const remove = async (address: Address) => {
      await unwrap(client.DELETE('/ip-allow-list/{id}', { params: { path: { id: address.id } } }));
      await queries.invalidateQueries();
      showDone(t('addressRemoved'), () => void restore(address).catch(showError));
    };
    return [
      { key: 'cidr', title: t('cidr'), cell: ({ cidr }) => <Code>{cidr}</Code> },
      { key: 'label', title: t('label'), cell: ({ label }) => label ?? '–' },
      { key: 'created', title: t('created'), from: 'sm', cell: ({ createdAt }) => formatDate(createdAt) },
      {
        key: 'remove',
        title: '',
        align: 'right',
        cell: (address) => (
          <Button size="compact-sm" variant="default" onClick={() => void remove(address).catch(showError)}>
            {t('remove')}
          </Button>
        ),
      },
    ];
  }, [t]);
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={dialog.open}>
      {t('addAddress')}
    </Button>
  );
  return (
    <Stack>
      <Group justify="space-between">
        <Text size="sm">{t('allowListText')}</Text>
        {add}
      </Group>
      <Result of={list}>
        {() => (
          <DataTable
            label={t('allowList')}
            list={list}
            columns={columns}
            rowKey={({ id }) => id}
            empty={
              <Empty
                icon={IconShieldLock}
                title={t('noAddresses')}
                text={t('noAddressesText')}
                action={add}
              />
            }
          />
        )}
      </Result>
      <Dialog opened={adding} onClose={dialog.close} title={t('addAddress')}>
        <AddressForm onDone={dialog.close} />
      </Dialog>
    </Stack>
  );
}

function AddressForm({ onDone }: { onDone: () => void }) {
  const t = useTexts(settingsTexts);
  const add = useApiForm({
    initialValues: { cidr: '', label: '' },
    send: ({ cidr, label }) => addAddress({ cidr, label: label.trim() || null }),
    done: () => {
      showDone(t('addressAdded'));
      onDone();
    },
  });
  return (
    <FormFrame of={add} label={t('addAddress')}>
      <TextInput
        label={t('cidr')}
        description={t('cidrHint')}
        required
        data-autofocus
        {...add.form.getInputProps('cidr')}
      />
      <TextInput label={t('label')} {...add.form.getInputProps('label')} />
    </FormFrame>
  );
}
