import { Select, Stack, Switch, TextInput } from '@mantine/core';
import { limited } from '../../../kit/limited';
import { useTexts } from '../../../texts/texts';
import { type SharedForm, SWITCHES } from './shared-values';
import { formTexts } from './texts';

/** Switches and external id of the link. */
export function OtherFields({ form, enabledHint }: { form: SharedForm; enabledHint: string }) {
  const t = useTexts(formTexts);
  return (
    <Stack gap="md">
      {SWITCHES.map((field) => (
        <Switch
          key={field}
          label={t(field)}
          description={field === 'enabled' ? enabledHint : t(`${field}Hint`)}
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
        {...limited(200, form.getInputProps('externalId'))}
      />
    </Stack>
  );
}
