import { ActionIcon, Button, Fieldset, Group, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { limited } from '../../kit/limited';
import { useTexts } from '../../texts/texts';
import type { ContactValues } from './contact-values';
import { contactTexts } from './texts';

/** Custom attributes, one per line. */
export function AttributeFields({ form }: { form: UseFormReturnType<ContactValues> }) {
  const t = useTexts(contactTexts);
  const { customFields } = form.getValues();
  const problems = Object.entries(form.errors).filter(([path]) => /^customFields(\.|$)/.test(path));
  return (
    <Fieldset legend={t('customFields')} p="sm">
      <Stack gap="xs">
        {customFields.map(({ key }, index) => (
          <Group key={index} gap="xs" wrap="nowrap">
            <TextInput
              aria-label={t('attributeName')}
              placeholder={t('attributeName')}

              flex={2}
              {...limited(100, { ...form.getInputProps(`customFields.${index}.key`), error: null })}
            />
            <TextInput
              aria-label={key === '' ? t('attributeValue') : key}
              placeholder={t('attributeValue')}

              flex={3}
              {...limited(2000, { ...form.getInputProps(`customFields.${index}.value`), error: null })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('removeAttribute', { name: key })}
              onClick={() => form.removeListItem('customFields', index)}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        ))}
        {problems.map(([path, message]) => (
          <Text key={path} size="sm" c="var(--mantine-color-error)" role="alert">
            {path.replace('customFields.', '')}: {message}
          </Text>
        ))}
        <Group>
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconPlus size={14} />}
            onClick={() => form.insertListItem('customFields', { key: '', value: '' })}
          >
            {t('addAttribute')}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}
