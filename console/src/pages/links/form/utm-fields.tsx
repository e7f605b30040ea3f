import { Autocomplete, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { CopyText } from '../../../kit/copy';
import { useTexts } from '../../../texts/texts';
import type { FieldsProps } from './link-form';
import { formTexts } from './texts';
import { type LinkValues, UTM_FIELDS } from './values';

export const SOURCES = ['newsletter', 'google', 'kakao', 'naver', 'facebook', 'instagram', 'x', 'youtube'];
export const MEDIA = ['email', 'social', 'cpc', 'sms', 'push', 'qr', 'affiliate', 'referral'];
const SUGGESTIONS: Partial<Record<(typeof UTM_FIELDS)[number], string[]>> = {
  utmSource: SOURCES,
  utmMedium: MEDIA,
};

/** The utm values that visitors arrive with, and the address that results. */
export function UtmFields({ of: { form } }: FieldsProps) {
  const t = useTexts(formTexts);
  const values = form.getValues();
  const result = resulting(values);
  const own = URL.parse(values.url.trim())?.searchParams;
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        {UTM_FIELDS.map((field) => {
          const props = {
            label: t(field),
            description: parameterOf(field),
            placeholder: own?.get(parameterOf(field)) ?? '',
            maxLength: 200,
            ...form.getInputProps(field),
          };
          const data = SUGGESTIONS[field];
          return data ? (
            <Autocomplete key={field} data={data} {...props} />
          ) : (
            <TextInput key={field} autoComplete="off" {...props} />
          );
        })}
      </SimpleGrid>
      {result !== null && <CopyText label={t('result')} value={result} />}
    </Stack>
  );
}

/** `utm_source` of `utmSource`. */
export function parameterOf(field: string): string {
  return field.replace(/[A-Z]/, (letter) => `_${letter.toLowerCase()}`);
}

/** The destination as visitors arrive at it. */
function resulting(values: LinkValues): string | null {
  const url = URL.parse(values.url.trim());
  if (url === null) return null;
  for (const field of UTM_FIELDS) {
    const value = values[field].trim();
    if (value !== '') url.searchParams.set(parameterOf(field), value);
  }
  return url.href;
}
