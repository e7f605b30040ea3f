import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconLink, IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { api, client, PAGED, type Schemas } from '../../api/client';
import { Copy, CopyText } from '../../kit/copy';
import { type Column, DataTable } from '../../kit/data-table';
import { Empty } from '../../kit/empty';
import { FormFrame, unwrap, useApiForm } from '../../kit/form';
import { limited } from '../../kit/limited';
import { Result } from '../../kit/loading';
import { Panel } from '../../kit/panel';
import { showDone } from '../../kit/toasts';
import { WebLink } from '../../kit/web-link';
import { formatDateTime } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import type { Channel } from './changes';
import { ChannelField } from './channel-field';
import { optOutTexts } from './texts';

type OptOutLink = Schemas['OptOutLinkResponse'];

/** Links to pages on which people opt out themselves. */
export function OptOutLinks() {
  const t = useTexts(optOutTexts);
  const [creating, panel] = useDisclosure(false);
  const list = api.useInfiniteQuery(
    'get',
    '/messaging/opt-out-links',
    { params: { query: { size: 100 } } },
    PAGED,
  );
  const columns = useMemo<Column<OptOutLink>[]>(
    () => [
      {
        key: 'url',
        title: t('url'),
        cell: ({ url }) => (
          <Group gap={4} wrap="nowrap">
            <WebLink href={url} size="sm" />
            <Copy value={url} name={url} />
          </Group>
        ),
      },
      { key: 'channel', title: t('channel'), from: 'sm', cell: ({ channel }) => t(channel), width: 140 },
      { key: 'value', title: t('recipient'), cell: ({ value }) => value ?? t('anyone') },
      { key: 'campaign', title: t('campaign'), from: 'sm', cell: ({ campaign }) => campaign ?? '–' },
      {
        key: 'created',
        title: t('created'),
        from: 'md',
        cell: ({ createdAt }) => formatDateTime(createdAt),
        width: 210,
      },
    ],
    [t],
  );
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={panel.open}>
      {t('createLink')}
    </Button>
  );
  return (
    <Stack>
      <Result of={list}>
        {() => (
          <>
            <Group justify="flex-end">{create}</Group>
            <DataTable
              label={t('links')}
              list={list}
              columns={columns}
              rowKey={({ id }) => id}
              empty={<Empty icon={IconLink} title={t('noLinksTitle')} text={t('noLinksText')} />}
            />
          </>
        )}
      </Result>
      {creating && <LinkPanel onClose={panel.close} />}
    </Stack>
  );
}

function LinkPanel({ onClose }: { onClose: () => void }) {
  const t = useTexts(optOutTexts);
  const [made, setMade] = useState<OptOutLink | null>(null);
  const values: { channel: Channel; value: string; campaign: string } = {
    channel: 'EMAIL',
    value: '',
    campaign: '',
  };
  const create = useApiForm({
    initialValues: values,
    send: ({ channel, value, campaign }) => {
      const body = {
        channel,
        value: value === '' ? null : value,
        campaign: campaign === '' ? null : campaign,
      };
      return unwrap(client.POST('/messaging/opt-out-links', { body }));
    },
    done: (link) => {
      showDone(t('linkCreated'));
      setMade(link);
    },
  });
  const { form } = create;
  return (
    <Panel opened title={t('createLinkTitle')} onClose={onClose}>
      {made ? (
        <Stack>
          <Text size="sm">{t('linkReady')}</Text>
          <CopyText value={made.url} label={t('url')} />
          <Group justify="flex-end">
            <Button onClick={onClose} data-autofocus>
              {t('done')}
            </Button>
          </Group>
        </Stack>
      ) : (
        <FormFrame of={create} label={t('createLink')}>
          <ChannelField
            value={form.getValues().channel}
            error={form.errors.channel}
            onChange={(channel) => form.setFieldValue('channel', channel)}
          />
          <TextInput
            label={t('recipient')}
            description={t('recipientHint')}

            data-autofocus
            {...limited(320, form.getInputProps('value'))}
          />
          <TextInput
            label={t('campaign')}
            description={t('campaignHint')}
            {...limited(100, form.getInputProps('campaign'))}
          />
        </FormFrame>
      )}
    </Panel>
  );
}
