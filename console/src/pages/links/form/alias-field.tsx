import { Checkbox, Group, Select, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { limited } from '../../../kit/limited';
import { useTexts } from '../../../texts/texts';
import { useDomains } from '../use-choices';
import type { SharedForm } from './shared-values';
import { formTexts } from './texts';

interface Props {
  form: SharedForm;
  field: 'customAlias' | 'alias';
  /** Current input. */
  alias: string;
  /** The saved URL of the edited link or campaign, which ends with the alias. */
  saved: { readonly address: string; readonly alias: string } | null;
  /** Message about an alias that differs from the saved one. */
  children?: ReactNode;
}

/** Domain and alias. An existing link or campaign keeps its domain and, if chosen, its former alias. */
export function AliasField({ form, field, alias, saved, children }: Props) {
  const t = useTexts(formTexts);
  const domains = useDomains();
  const differs = alias !== '' && alias !== saved?.alias;
  return (
    <Stack gap={6}>
      <Group gap="sm" align="flex-start" grow preventGrowOverflow={false}>
        {saved ? (
          <TextInput
            label={t('domain')}
            value={saved.address.slice(0, saved.address.lastIndexOf('/'))}
            disabled
          />
        ) : (
          <Select
            label={t('domain')}
            data={[{ value: '', label: t('defaultDomain') }, ...domains]}
            allowDeselect={false}
            searchable={domains.length > 8}
            {...form.getInputProps('customDomainId')}
          />
        )}
        <Stack gap={6}>
          <TextInput
            label={t('customAlias')}
            placeholder={t('aliasPlaceholder')}

            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            {...limited(50, form.getInputProps(field))}
          />
          {differs && children}
        </Stack>
      </Group>
      {differs && saved && (
        <Checkbox
          label={t('releaseOld', { alias: saved.alias })}
          {...form.getInputProps('releaseOld', { type: 'checkbox' })}
        />
      )}
    </Stack>
  );
}
