import { Group, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconCheck, IconX } from '@tabler/icons-react';
import { api } from '../../../api/client';
import { errorText } from '../../../kit/toasts';
import { useTexts } from '../../../texts/texts';
import { formTexts } from './texts';

const SETTLED_MS = 250;

/** Says whether an alias is free: politely, since it changes while one types. @param domain its id; empty: the shared one */
export function AliasAvailability({ alias, domain }: { alias: string; domain: string }) {
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
