import { Autocomplete, Select, SimpleGrid, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTexts } from '../../../texts/texts';
import { GOALS } from '../../links/form/app-fields';
import { CardPreview } from '../../links/form/card-preview';
import { formTexts } from '../../links/form/texts';
import { MEDIA, parameterOf, SOURCES } from '../../links/form/utm-fields';
import { UTM_FIELDS } from '../../links/form/values';
import { useApps } from '../../links/use-choices';
import { campaignTexts } from '../texts';
import type { CampaignValues } from './values';

export interface FieldsProps {
  form: UseFormReturnType<CampaignValues>;
}

const SUGGESTIONS: Partial<Record<(typeof UTM_FIELDS)[number], string[]>> = {
  utmSource: SOURCES,
  utmMedium: MEDIA,
};

export function UtmFields({ form }: FieldsProps) {
  const t = useTexts(formTexts);
  const own = URL.parse(form.getValues().originalUrl.trim())?.searchParams;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      {UTM_FIELDS.map((field) => (
        <Autocomplete
          key={field}
          label={t(field)}
          description={parameterOf(field)}
          placeholder={own?.get(parameterOf(field)) ?? ''}
          data={SUGGESTIONS[field] ?? []}
          maxLength={200}
          {...form.getInputProps(field)}
        />
      ))}
    </SimpleGrid>
  );
}

export function CardFields({ form }: FieldsProps) {
  const t = useTexts(formTexts);
  const { originalUrl, ogTitle, ogDescription, ogImageUrl } = form.getValues();
  return (
    <Stack gap="sm">
      <Text size="sm">{t('cardHint')}</Text>
      <TextInput label={t('ogTitle')} maxLength={200} {...form.getInputProps('ogTitle')} />
      <Textarea
        label={t('ogDescription')}
        maxLength={500}
        autosize
        minRows={2}
        {...form.getInputProps('ogDescription')}
      />
      <Address form={form} field="ogImageUrl" />
      <CardPreview
        url={originalUrl.trim()}
        title={ogTitle}
        description={ogDescription}
        image={ogImageUrl.trim()}
      />
    </Stack>
  );
}

export function LifeFields({ form }: FieldsProps) {
  const t = useTexts(formTexts);
  const own = useTexts(campaignTexts);
  const { startsAt, expiresAt, notStartedUrl, expiredUrl } = form.getValues();
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <TextInput type="datetime-local" label={t('startsAt')} {...form.getInputProps('startsAt')} />
        <TextInput type="datetime-local" label={t('expirationDate')} {...form.getInputProps('expiresAt')} />
      </SimpleGrid>
      <Text size="xs" c="dimmed">
        {t('timeZone', { zone: Intl.DateTimeFormat().resolvedOptions().timeZone })}
      </Text>
      {(startsAt !== '' || notStartedUrl !== '') && (
        <Address form={form} field="notStartedUrl" hint={t('notStartedHint')} />
      )}
      {(expiresAt !== '' || expiredUrl !== '') && (
        <Address form={form} field="expiredUrl" hint={own('expiredHint')} />
      )}
    </Stack>
  );
}

const PLATFORMS = [
  ['iOS', 'iosAppId', 'iosDeepLinkPath'],
  ['Android', 'androidAppId', 'androidDeepLinkPath'],
] as const;

export function AppFields({ form }: FieldsProps) {
  const t = useTexts(formTexts);
  const values = form.getValues();
  const apps = useApps();
  return (
    <Stack gap="sm">
      <Text size="sm">{t('appsHint')}</Text>
      {PLATFORMS.map(([platform, app, path]) => (
        <Stack key={platform} gap="sm">
          <Select
            label={t(app)}
            placeholder={t('noApp')}
            data={apps.filter(({ label }) => label.endsWith(`(${platform})`))}
            clearable
            value={values[app] || null}
            onChange={(id: string | null) => form.setFieldValue(app, id ?? '')}
            error={form.errors[app]}
          />
          {(values[app] !== '' || values[path] !== '') && (
            <TextInput
              label={t(path)}
              description={t('pathHint')}
              maxLength={1000}
              {...form.getInputProps(path)}
            />
          )}
        </Stack>
      ))}
      <Address form={form} field="mobileTargetUrl" hint={t('mobileTargetHint')} />
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

export function OtherFields({ form }: FieldsProps) {
  const t = useTexts(formTexts);
  const own = useTexts(campaignTexts);
  return (
    <Stack gap="md">
      {(['enabled', 'archived', 'forwardQuery', 'showAdPage'] as const).map((field) => (
        <Switch
          key={field}
          label={t(field)}
          description={field === 'enabled' ? own('enabledHint') : t(`${field}Hint`)}
          {...form.getInputProps(field, { type: 'checkbox' })}
        />
      ))}
      <Select
        label={t('appendClickId')}
        description={t('appendClickIdHint')}
        allowDeselect={false}
        data={[
          { value: '', label: t('asOrganization') },
          { value: 'true', label: t('append') },
          { value: 'false', label: t('appendNot') },
        ]}
        {...form.getInputProps('appendClickId')}
      />
      <TextInput
        label={t('externalId')}
        description={t('externalIdHint')}
        maxLength={200}
        {...form.getInputProps('externalId')}
      />
    </Stack>
  );
}

type AddressField = 'ogImageUrl' | 'notStartedUrl' | 'expiredUrl' | 'mobileTargetUrl';

function Address({ form, field, hint }: FieldsProps & { field: AddressField; hint?: string }) {
  const t = useTexts(formTexts);
  return (
    <TextInput
      type="url"
      label={t(field)}
      description={hint}
      placeholder="https://"
      maxLength={1000}
      {...form.getInputProps(field)}
    />
  );
}
