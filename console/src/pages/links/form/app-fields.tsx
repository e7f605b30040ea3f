import { Autocomplete, Select, Stack, Text, TextInput } from '@mantine/core';
import { limited } from '../../../kit/limited';
import { useTexts } from '../../../texts/texts';
import { useApps } from '../use-choices';
import { AddressField } from './address-field';
import type { SharedForm } from './shared-values';
import { formTexts } from './texts';

const GOALS = [
  'purchase',
  'signup',
  'addToCart',
  'productView',
  'subscription',
  'appInstall',
  'formSubmit',
  'contentView',
];

/** Apps that the link opens, the path in them, and the goal. */
export function AppFields({ form }: { form: SharedForm }) {
  const t = useTexts(formTexts);
  const values = form.getValues();
  const platforms = [
    { app: 'iosAppId', path: 'iosDeepLinkPath', apps: useApps('iOS') },
    { app: 'androidAppId', path: 'androidDeepLinkPath', apps: useApps('Android') },
  ] as const;
  return (
    <Stack gap="sm">
      <Text size="sm">{t('appsHint')}</Text>
      {platforms.map(({ app, path, apps }) => (
        <Stack key={app} gap="sm">
          <Select
            label={t(app)}
            placeholder={t('noApp')}
            data={apps}
            clearable
            value={values[app] || null}
            onChange={(id: string | null) => form.setFieldValue(app, id ?? '')}
            error={form.errors[app]}
          />
          {(values[app] !== '' || values[path] !== '') && (
            <TextInput
              label={t(path)}
              description={t('pathHint')}
              {...limited(1000, form.getInputProps(path))}
            />
          )}
        </Stack>
      ))}
      <AddressField form={form} field="mobileTargetUrl" hint={t('mobileTargetHint')} />
      <Autocomplete
        label={t('goalType')}
        description={t('goalTypeHint')}
        data={GOALS}
        {...limited(50, form.getInputProps('goalType'))}
      />
    </Stack>
  );
}
