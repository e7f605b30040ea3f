import { Autocomplete, Select, Stack, Text, TextInput } from '@mantine/core';
import { useTexts } from '../../../texts/texts';
import { useApps } from '../use-choices';
import type { FieldsProps } from './link-form';
import { formTexts } from './texts';

export const GOALS = [
  'purchase',
  'signup',
  'addToCart',
  'productView',
  'subscription',
  'appInstall',
  'formSubmit',
  'contentView',
];

/** Apps that the link opens, where in them, and what it is to achieve. */
export function AppFields({ of: { form } }: FieldsProps) {
  const t = useTexts(formTexts);
  const { iosAppId, androidAppId } = form.getValues();
  const ios = useApps('iOS');
  const android = useApps('Android');
  return (
    <Stack gap="sm">
      <Text size="sm">{t('appsHint')}</Text>
      <Select
        label={t('iosAppId')}
        placeholder={t('noApp')}
        data={ios}
        clearable
        value={iosAppId || null}
        onChange={(id: string | null) => form.setFieldValue('iosAppId', id ?? '')}
        error={form.errors['iosAppId']}
      />
      {iosAppId !== '' && (
        <TextInput
          label={t('iosDeepLinkPath')}
          description={t('pathHint')}
          maxLength={1000}
          {...form.getInputProps('iosDeepLinkPath')}
        />
      )}
      <Select
        label={t('androidAppId')}
        placeholder={t('noApp')}
        data={android}
        clearable
        value={androidAppId || null}
        onChange={(id: string | null) => form.setFieldValue('androidAppId', id ?? '')}
        error={form.errors['androidAppId']}
      />
      {androidAppId !== '' && (
        <TextInput
          label={t('androidDeepLinkPath')}
          description={t('pathHint')}
          maxLength={1000}
          {...form.getInputProps('androidDeepLinkPath')}
        />
      )}
      <TextInput
        type="url"
        label={t('mobileTargetUrl')}
        description={t('mobileTargetHint')}
        placeholder="https://"
        maxLength={1000}
        {...form.getInputProps('mobileTargetUrl')}
      />
      <Autocomplete
        label={t('goalType')}
        description={t('goalTypeHint')}
        data={GOALS}
        maxLength={50}
        {...form.getInputProps('goalType')}
      />
    </Stack>
  );
}
