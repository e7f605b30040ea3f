import { Checkbox, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconCheck, IconX } from '@tabler/icons-react';
import { api } from '../../../api/client';
import { errorText } from '../../../kit/toasts';
import { useTexts } from '../../../texts/texts';
import { addressOf, codeOf } from '../link';
import { useDomains } from '../use-choices';
import type { FieldsProps } from './link-form';
import { formTexts } from './texts';

const SETTLED_MS = 250;

/** Domain and alias; says as one types whether the alias is free. */
export function AliasField({ of: { form }, link }: FieldsProps) {
  const t = useTexts(formTexts);
  const domains = useDomains();
  const { customAlias, customDomainId } = form.getValues();
  const alias = customAlias.trim();
  const current = link && codeOf(link);
  return (
    <Stack gap={6}>
      <Group gap="sm" align="flex-start" grow preventGrowOverflow={false}>
        {link ? (
          <TextInput
            label={t('domain')}
            value={addressOf(link).slice(0, -codeOf(link).length - 1)}
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
        <TextInput
          label={t('customAlias')}
          placeholder={t('aliasPlaceholder')}
          maxLength={50}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...form.getInputProps('customAlias')}
        />
      </Group>
      {alias !== '' && alias !== current && (
        <Availability
          alias={alias}
          domain={link ? idOfDomain(link.customDomainName, domains) : customDomainId}
        />
      )}
      {current !== undefined && alias !== '' && alias !== current && (
        <Checkbox
          label={t('releaseOld', { alias: current })}
          {...form.getInputProps('releaseOld', { type: 'checkbox' })}
        />
      )}
    </Stack>
  );
}

function idOfDomain(name: string | null, domains: readonly { value: string; label: string }[]): string {
  return domains.find(({ label }) => label === name)?.value ?? '';
}

/** Announced politely: it changes while one types. */
function Availability({ alias, domain }: { alias: string; domain: string }) {
  const t = useTexts(formTexts);
  const [settled] = useDebouncedValue(alias, SETTLED_MS);
  const { data, error } = api.useQuery('get', '/urls/alias-availability', {
    params: {
      query: { alias: settled, ...(domain !== '' && { customDomainId: Number(domain) }) },
    },
  });
  const known = settled === alias && (data ?? error);
  return (
    <Group gap={4} role="status" mih={20} wrap="nowrap">
      {known && data && (
        <>
          {data.available ? (
            <IconCheck size={16} color="var(--mantine-color-teal-7)" aria-hidden />
          ) : (
            <IconX size={16} color="var(--mantine-color-error)" aria-hidden />
          )}
          <Text size="sm" c={data.available ? undefined : 'var(--mantine-color-error)'}>
            {data.available
              ? t('aliasFree', { alias: data.alias })
              : t(reasonOf(data.reason), { alias: data.alias })}
          </Text>
        </>
      )}
      {known && !data && (
        <Text size="sm" c="var(--mantine-color-error)">
          {errorText(error)}
        </Text>
      )}
    </Group>
  );
}

function reasonOf(reason: string | null): 'RESERVED_ALIAS' | 'ALIAS_TAKEN' {
  return reason === 'RESERVED_ALIAS' ? reason : 'ALIAS_TAKEN';
}
