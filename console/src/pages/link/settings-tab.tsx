import { Button, Group, NumberInput, Paper, SimpleGrid, Stack, Switch, Text, Title } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { api, client, queries, type Schemas } from '../../api/client';
import { May, useMay } from '../../api/may';
import { CopyText } from '../../kit/copy';
import { FormFrame, unwrap, useApiForm } from '../../kit/form';
import { Result } from '../../kit/loading';
import { showDone, showError } from '../../kit/toasts';
import { common } from '../../texts/common';
import { useTexts } from '../../texts/texts';
import type { Link } from '../links/link';
import { FieldList } from './field-list';
import { linkPageTexts } from './texts';

type Settings = Schemas['SettingsResponse'];

const DEFAULT_WINDOW = 60;

interface SettingsValues {
  /** A number field that is empty holds a text. */
  deduplication: { enabled: boolean; windowMinutes: number | string };
  adPage: { enabled: boolean };
}

/** The fields of a link, its former aliases, and how its clicks are counted. */
export function SettingsTab({ link, onEdit }: { link: Link; onEdit: () => void }) {
  const t = useTexts(linkPageTexts);
  const c = useTexts(common);
  const params = { path: { id: link.id } };
  const settings = api.useQuery('get', '/links/{id}/settings', { params });
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Card
        title={t('fields')}
        action={
          <May call="updateOrganizationShortUrl">
            <Button
              size="compact-md"
              variant="default"
              leftSection={<IconPencil size={16} />}
              onClick={onEdit}
            >
              {c('edit')}
            </Button>
          </May>
        }
      >
        <FieldList link={link} />
      </Card>
      <Stack>
        <Card title={t('counting')}>
          <Result of={settings}>
            {(data) => <SettingsForm key={JSON.stringify(data)} id={link.id} settings={data} />}
          </Result>
        </Card>
        <Card title={t('formerAliases')}>
          <Text size="sm" c="dimmed">
            {t(link.formerAliases.length > 0 ? 'formerAliasesText' : 'noFormerAliases')}
          </Text>
          {link.formerAliases.map((alias) => (
            <CopyText key={alias} value={link.link.slice(0, link.link.lastIndexOf('/') + 1) + alias} />
          ))}
        </Card>
      </Stack>
    </SimpleGrid>
  );
}

function Card({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h5">
            {title}
          </Title>
          {action}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}

function SettingsForm({ id, settings }: { id: number; settings: Settings }) {
  const t = useTexts(linkPageTexts);
  const c = useTexts(common);
  const mayEdit = useMay('updateLinkSettings');
  const params = { path: { id } };
  const save = (body: Settings) => unwrap(client.PUT('/links/{id}/settings', { params, body }));
  const form = useApiForm<SettingsValues, Settings>({
    initialValues: {
      deduplication: {
        enabled: settings.deduplication.enabled,
        windowMinutes: settings.deduplication.windowMinutes ?? DEFAULT_WINDOW,
      },
      adPage: { enabled: settings.adPage.enabled },
    },
    send: ({ deduplication, adPage }) =>
      save({
        deduplication: {
          enabled: deduplication.enabled,
          windowMinutes: deduplication.enabled ? Number(deduplication.windowMinutes) : null,
        },
        adPage,
      }),
    done: () =>
      showDone(c('saved'), () => {
        save(settings)
          .then(() => queries.invalidateQueries())
          .catch(showError);
      }),
  });
  const fields = form.form;
  const content = (
    <>
      <Switch
        label={t('deduplication')}
        description={t('deduplicationHint')}
        disabled={!mayEdit}
        {...fields.getInputProps('deduplication.enabled', { type: 'checkbox' })}
      />
      {fields.getValues().deduplication.enabled && (
        <NumberInput
          label={t('windowMinutes')}
          min={1}
          allowDecimal={false}
          disabled={!mayEdit}
          {...fields.getInputProps('deduplication.windowMinutes')}
        />
      )}
      <Switch
        label={t('adPage')}
        description={t('adPageHint')}
        disabled={!mayEdit}
        {...fields.getInputProps('adPage.enabled', { type: 'checkbox' })}
      />
    </>
  );
  return mayEdit ? (
    <FormFrame of={form} label={c('save')}>
      {content}
    </FormFrame>
  ) : (
    <Stack>{content}</Stack>
  );
}
