import { Group, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconCheck, IconX } from '@tabler/icons-react';
import { api, type Schemas } from '../../../api/client';
import { errorText } from '../../../kit/toasts';
import { useTexts } from '../../../texts/texts';
import { formTexts } from './texts';

const SETTLED_MS = 250;

interface Props {
  alias: string;
  /** Id of the domain; empty for the shared domain. */
  domain: string;
  /** Id of the edited link or campaign, which may keep its own and former aliases. */
  edited?: number | undefined;
}

/** Availability of a link's alias, checked while typing. */
export function LinkAliasAvailability({ alias, domain, edited }: Props) {
  const [settled] = useDebouncedValue(alias, SETTLED_MS);
  const query = { ...queryOf(settled, domain), ...(edited !== undefined && { linkId: edited }) };
  const answer = api.useQuery('get', '/urls/alias-availability', { params: { query } });
  return <Answer of={answer} known={settled === alias} />;
}

/** Availability of a campaign's alias, which is independent of links' aliases. */
export function CampaignAliasAvailability({ alias, domain, edited }: Props) {
  const [settled] = useDebouncedValue(alias, SETTLED_MS);
  const query = { ...queryOf(settled, domain), ...(edited !== undefined && { campaignId: edited }) };
  const answer = api.useQuery('get', '/campaigns/alias-availability', { params: { query } });
  return <Answer of={answer} known={settled === alias} />;
}

function queryOf(alias: string, domain: string) {
  return { alias, ...(domain !== '' && { customDomainId: Number(domain) }) };
}

interface AnswerProps {
  of: { readonly data: Schemas['AliasAvailabilityResponse'] | undefined; readonly error: unknown };
  /** Whether the response is for the current input. */
  known: boolean;
}

/** Announced politely (aria-live), because it changes while typing. */
function Answer({ of: { data, error }, known }: AnswerProps) {
  const t = useTexts(formTexts);
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
      {known && !data && error !== null && (
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
