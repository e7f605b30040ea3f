import { MultiSelect, Select } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { Schemas } from '../../api/client';
import { UserResponse_permissions, UserResponse_role } from '../../api/values.gen';
import { useTexts } from '../../texts/texts';
import { settingsTexts } from './texts';

/** What a user may do and see. */
export type AccessValues = Pick<Schemas['UserResponse'], 'role' | 'permissions'>;

export function AccessFields<Values extends AccessValues>({ form }: { form: UseFormReturnType<Values> }) {
  const t = useTexts(settingsTexts);
  return (
    <>
      <Select
        label={t('role')}
        description={t('roleHint')}
        allowDeselect={false}
        data={UserResponse_role.map((value) => ({ value, label: t(value) }))}
        {...form.getInputProps('role')}
      />
      <MultiSelect
        label={t('permissions')}
        description={t('permissionsHint')}
        data={UserResponse_permissions.map((value) => ({ value, label: t(value) }))}
        {...form.getInputProps('permissions')}
      />
    </>
  );
}
