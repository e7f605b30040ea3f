import { Input, SegmentedControl, Text, Textarea, TextInput } from '@mantine/core';
import { client, queries, type Schemas } from '../../api/client';
import { CreateAppRequest_platform } from '../../api/values.gen';
import { FormFrame, unwrap, useApiForm } from '../../kit/form';
import { Panel } from '../../kit/panel';
import { showDone, showError } from '../../kit/toasts';
import { common } from '../../texts/common';
import { useTexts } from '../../texts/texts';
import { appTexts } from './texts';

type App = Schemas['AppResponse'];

interface Props {
  app?: App;
  onClose: () => void;
  onDone?: (app: App) => void;
}

export function AppPanel({ app, onClose, onDone }: Props) {
  const t = useTexts(appTexts);
  return (
    <Panel opened title={t(app ? 'editTitle' : 'addTitle')} onClose={onClose}>
      <AppForm
        {...(app && { app })}
        onDone={(saved) => {
          onClose();
          onDone?.(saved);
        }}
      />
    </Panel>
  );
}

interface FormProps {
  app?: App;
  onDone: (app: App) => void;
}

function AppForm({ app, onDone }: FormProps) {
  const t = useTexts(appTexts);
  const c = useTexts(common);
  const edit = useApiForm({
    initialValues: valuesOf(app),
    send: (values) =>
      app
        ? update(app.id, bodyOf(values))
        : unwrap(client.POST('/mobile-apps', { body: { platform: values.platform, ...bodyOf(values) } })),
    done: (saved) => {
      if (app) {
        const before = bodyOf(valuesOf(app));
        showDone(c('saved'), () => void restore(app.id, before).catch(showError));
      } else showDone(t('added'));
      onDone(saved);
    },
  });
  const { form } = edit;
  const { platform } = form.values;
  const id = { iOS: 'bundleId', Android: 'packageName', Web: 'webId' } as const;
  const fingerprints = Object.entries(form.errors).find(([path]) =>
    path.startsWith('sha256CertFingerprints'),
  );
  return (
    <FormFrame of={edit} label={app ? c('save') : t('add')}>
      {!app && (
        <Input.Wrapper label={t('platform')} labelElement="div">
          <SegmentedControl
            fullWidth
            aria-label={t('platform')}
            data={[...CreateAppRequest_platform]}
            {...form.getInputProps('platform')}
          />
        </Input.Wrapper>
      )}
      <TextInput label={t('appName')} required data-autofocus {...form.getInputProps('appName')} />
      <TextInput
        label={t(id[platform])}
        description={t(`${id[platform]}Hint`)}
        placeholder="com.example.shop"
        required
        {...form.getInputProps('bundleId')}
      />
      {platform !== 'Web' && (
        <>
          <TextInput
            label={t('scheme')}
            description={t('schemeHint')}
            placeholder="exampleshop://"
            {...form.getInputProps('scheme')}
          />
          <TextInput
            label={t('storeUrl')}
            description={t('storeUrlHint')}
            type="url"
            placeholder={STORES[platform]}
            {...form.getInputProps('storeUrl')}
          />
        </>
      )}
      {platform === 'iOS' && (
        <TextInput
          label={t('teamId')}
          description={t('teamIdHint')}
          placeholder="ABCDE12345"
          {...form.getInputProps('teamId')}
        />
      )}
      {platform === 'Android' && (
        <>
          <Textarea
            label={t('fingerprints')}
            description={t('fingerprintsHint')}
            autosize
            minRows={2}
            maxRows={8}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            {...form.getInputProps('sha256CertFingerprints')}
            error={fingerprints?.[1]}
          />
          {!app?.onShortDomain && (
            <Text size="xs" c="dimmed">
              {t('shortDomainHint')}
            </Text>
          )}
        </>
      )}
      <Textarea
        label={t('allowedOrigins')}
        description={t('allowedOriginsHint')}
        placeholder="https://shop.example.com"
        autosize
        minRows={1}
        maxRows={8}
        {...form.getInputProps('allowedOrigins')}
      />
      <TextInput
        label={t('appIconUrl')}
        description={t('appIconUrlHint')}
        type="url"
        placeholder="https://shop.example.com/icon.png"
        {...form.getInputProps('appIconUrl')}
      />
    </FormFrame>
  );
}

const STORES = {
  iOS: 'https://apps.apple.com/app/id1234567890',
  Android: 'https://play.google.com/store/apps/details?id=com.example.shop',
};

function valuesOf(app: App | undefined) {
  return {
    platform: app?.platform ?? 'iOS',
    appName: app?.appName ?? '',
    bundleId: app?.bundleId ?? '',
    scheme: app?.scheme ?? '',
    storeUrl: app?.storeUrl ?? '',
    teamId: app?.teamId ?? '',
    appIconUrl: app?.appIconUrl ?? '',
    sha256CertFingerprints: app?.sha256CertFingerprints.join('\n') ?? '',
    allowedOrigins: app?.allowedOrigins.join('\n') ?? '',
  };
}

/** Only fields of the chosen platform; others may have been filled in before it was chosen. */
function bodyOf({ platform, ...values }: ReturnType<typeof valuesOf>) {
  const optional = (text: string) => text.trim() || null;
  return {
    appName: values.appName,
    bundleId: values.bundleId,
    appIconUrl: optional(values.appIconUrl),
    allowedOrigins: linesOf(values.allowedOrigins),
    ...(platform !== 'Web' && {
      scheme: optional(schemeOf(values.scheme)),
      storeUrl: optional(values.storeUrl),
    }),
    ...(platform === 'iOS' && { teamId: optional(values.teamId) }),
    ...(platform === 'Android' && {
      sha256CertFingerprints: linesOf(values.sha256CertFingerprints),
    }),
  };
}

function linesOf(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}

async function update(id: number, body: Schemas['UpdateAppRequest']): Promise<App> {
  return unwrap(client.PUT('/mobile-apps/{id}', { params: { path: { id } }, body }));
}

async function restore(id: number, body: Schemas['UpdateAppRequest']): Promise<void> {
  await update(id, body);
  await queries.invalidateQueries();
}

/** `myapp` becomes `myapp://`. */
function schemeOf(text: string): string {
  return /^[a-z][a-z\d+.-]*:?\/?$/i.test(text.trim()) ? `${text.trim().replace(/:?\/?$/, '')}://` : text;
}
