import { TextInput } from '@mantine/core';
import { limited } from '../../../kit/limited';
import { useTexts } from '../../../texts/texts';
import type { SharedForm } from './shared-values';
import { formTexts } from './texts';

interface Props {
  form: SharedForm;
  field: 'ogImageUrl' | 'notStartedUrl' | 'expiredUrl' | 'mobileTargetUrl';
  hint?: string;
}

export function AddressField({ form, field, hint }: Props) {
  const t = useTexts(formTexts);
  return (
    <TextInput
      type="url"
      label={t(field)}
      description={hint}
      placeholder="https://"
      {...limited(1000, form.getInputProps(field))}
    />
  );
}
