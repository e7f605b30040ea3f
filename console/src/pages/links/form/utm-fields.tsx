import { Autocomplete, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { CopyText } from '../../../kit/copy';
import { limited } from '../../../kit/limited';
import { useTexts } from '../../../texts/texts';
import { type SharedForm, type SharedValues, UTM_FIELDS } from './shared-values';
import { formTexts } from './texts';

const SUGGESTIONS: Partial<Record<(typeof UTM_FIELDS)[number], string[]>> = {
  utmSource: ['newsletter', 'google', 'kakao', 'naver', 'facebook', 'instagram', 'x', 'youtube'],
  utmMedium: ['email', 'social', 'cpc', 'sms', 'push', 'qr', 'affiliate', 'referral'],
};

/** The utm values that visitors arrive with, and the address that results. @param url the destination */
export function UtmFields({ form, url }: { form: SharedForm; url: string }) {
  const t = useTexts(formTexts);
  const destination = URL.parse(url.trim());
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        {UTM_FIELDS.map((field) => {
          const props = {
            label: t(field),
            description: parameterOf(field),
            placeholder: destination?.searchParams.get(parameterOf(field)) ?? '',
            ...limited(200, form.getInputProps(field)),
          };
          const data = SUGGESTIONS[field];
          return data ? (
            <Autocomplete key={field} data={data} {...props} />
          ) : (
            <TextInput key={field} autoComplete="off" {...props} />
          );
        })}
      </SimpleGrid>
      {destination && <CopyText label={t('result')} value={resulting(destination, form.getValues())} />}
    </Stack>
  );
}

/** `utm_source` of `utmSource`. */
function parameterOf(field: string): string {
  return field.replace(/[A-Z]/, (letter) => `_${letter.toLowerCase()}`);
}

/** The destination as visitors arrive at it. */
function resulting(destination: URL, values: SharedValues): string {
  const url = new URL(destination);
  for (const field of UTM_FIELDS) {
    const value = values[field].trim();
    if (value !== '') url.searchParams.set(parameterOf(field), value);
  }
  return url.href;
}
