import { TagsInput } from '@mantine/core';
import { useTexts } from '../../../texts/texts';
import { useTagNames } from '../tag-names';
import { errorOf } from './errors';
import type { SharedForm } from './shared-values';
import { formTexts } from './texts';

export function TagsField({ form }: { form: SharedForm }) {
  const t = useTexts(formTexts);
  const tags = useTagNames();
  return (
    <TagsInput
      label={t('tags')}
      description={t('tagsHint')}
      data={tags}
      clearable
      // Opens upwards, so that it does not cover the utm fields.
      comboboxProps={{ position: 'top' }}
      maxDropdownHeight={160}
      {...form.getInputProps('tags')}
      error={errorOf(form, 'tags')}
    />
  );
}
