import { Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useTexts } from '../../../texts/texts';
import { CardPreview } from './card-preview';
import type { FieldsProps } from './link-form';
import { formTexts } from './texts';

/** What messengers show of the link. */
export function CardFields({ of: { form } }: FieldsProps) {
  const t = useTexts(formTexts);
  const { url, ogTitle, ogDescription, ogImageUrl } = form.getValues();
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
      <TextInput
        type="url"
        label={t('ogImageUrl')}
        placeholder="https://"
        maxLength={1000}
        {...form.getInputProps('ogImageUrl')}
      />
      <CardPreview url={url.trim()} title={ogTitle} description={ogDescription} image={ogImageUrl.trim()} />
    </Stack>
  );
}
