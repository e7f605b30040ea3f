import { Autocomplete, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { CopyText } from '../../../kit/copy';
import { limited } from '../../../kit/limited';
import { useTexts } from '../../../texts/texts';
import { MAX_UTM, parameterOf, utmOf } from './destination-utm';
import { type SharedForm, type SharedValues, UTM_FIELDS, type UtmField } from './shared-values';
import { formTexts } from './texts';

const SUGGESTIONS: Partial<Record<(typeof UTM_FIELDS)[number], string[]>> = {
  utmSource: ['newsletter', 'google', 'kakao', 'naver', 'facebook', 'instagram', 'x', 'youtube'],
  utmMedium: ['email', 'social', 'cpc', 'sms', 'push', 'qr', 'affiliate', 'referral'],
};

/** utm values for the destination, and the resulting URL. @param url the destination */
export function UtmFields({ form, url }: { form: SharedForm; url: string }) {
  const t = useTexts(formTexts);
  const destination = URL.parse(url.trim());
  const found = utmOf(url);
  const values = form.getValues();
  const follows = (field: UtmField) =>
    found[field] !== '' && ['', found[field]].includes(values[field].trim());
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        {UTM_FIELDS.map((field) => {
          const props = {
            label: t(field),
            description: follows(field)
              ? t('fromDestination', { parameter: parameterOf(field) })
              : parameterOf(field),
            placeholder: found[field],
            ...limited(MAX_UTM, form.getInputProps(field)),
          };
          const data = SUGGESTIONS[field];
          return data ? (
            <Autocomplete key={field} data={data} {...props} />
          ) : (
            <TextInput key={field} autoComplete="off" {...props} />
          );
        })}
      </SimpleGrid>
      {destination && <CopyText label={t('result')} value={resulting(destination, values)} />}
    </Stack>
  );
}

/** The destination's URL with the utm values. */
function resulting(destination: URL, values: SharedValues): string {
  const url = new URL(destination);
  const found = utmOf(destination.href);
  for (const field of UTM_FIELDS) {
    const value = values[field].trim();
    if (value !== '' && value !== found[field]) url.searchParams.set(parameterOf(field), value);
  }
  return url.href;
}
