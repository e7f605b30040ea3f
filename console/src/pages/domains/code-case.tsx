import { Alert, Paper, Stack, Switch, Table, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { client, queries, type Schemas } from '../../api/client';
import { useMay } from '../../api/may';
import { confirm } from '../../kit/confirm';
import { unwrap } from '../../kit/form';
import { RouteLink } from '../../kit/route-link';
import { showDone, showError } from '../../kit/toasts';
import { common } from '../../texts/common';
import { formatNumber } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { domainTexts } from './texts';

type Collisions = Schemas['CodeCollisionsResponse'];

/** Whether the letter case of the domain's codes counts, and what prevents that from changing. */
export function CodeCase({ domain }: { domain: Schemas['CustomDomainResponse'] }) {
  const t = useTexts(domainTexts);
  const c = useTexts(common);
  const may = useMay('updateOrganizationCustomDomain');
  const [found, setFound] = useState<Collisions | null>(null);
  const [busy, setBusy] = useState(false);
  const params = { path: { id: domain.id } };

  const change = async (caseSensitiveCodes: boolean) => {
    setFound(null);
    if (!caseSensitiveCodes) {
      const collisions = await unwrap(client.GET('/custom-domains/{id}/code-collisions', { params }));
      if (collisions.total > 0) {
        setFound(collisions);
        return;
      }
    }
    const [title, text] = caseSensitiveCodes
      ? ([t('caseOn'), t('caseOnText')] as const)
      : ([t('caseOff'), t('caseOffText')] as const);
    if (!(await confirm({ title, text, confirm: c('save') }))) return;
    await unwrap(client.PATCH('/custom-domains/{id}', { params, body: { caseSensitiveCodes } }));
    await queries.invalidateQueries();
    showDone(c('saved'));
  };
  const onChange = (counts: boolean) => {
    setBusy(true);
    change(counts)
      .catch(showError)
      .finally(() => setBusy(false));
  };

  return (
    <Paper withBorder p={{ base: 'sm', sm: 'md' }}>
      <Stack>
        <Title order={2} size="h5">
          {t('caseTitle')}
        </Title>
        <Switch
          label={t('caseCounts')}
          description={t('caseText')}
          checked={domain.caseSensitiveCodes}
          disabled={!may || busy}
          onChange={({ currentTarget: { checked } }) => onChange(checked)}
        />
        {found && <Found collisions={found} />}
      </Stack>
    </Paper>
  );
}

function Found({ collisions: { total, collisions } }: { collisions: Collisions }) {
  const t = useTexts(domainTexts);
  return (
    <Alert
      color="orange"
      icon={<IconAlertTriangle />}
      title={t('collisions', { total: formatNumber(total) })}
    >
      <Stack gap="xs">
        <Text size="sm">{t('collisionsText')}</Text>
        <Table.ScrollContainer minWidth={0} mah={320}>
          <Table aria-label={t('collisions', { total: formatNumber(total) })}>
            <Table.Tbody>
              {collisions.map(({ kind, codes }) => (
                <Table.Tr key={`${kind}/${codes[0]?.code ?? ''}`}>
                  <Table.Td>{t(kind)}</Table.Td>
                  {codes.map(({ id, code }) => (
                    <Table.Td key={`${id}/${code}`}>
                      <RouteLink
                        to={kind === 'link' ? '/links/$id' : '/campaigns/$id'}
                        params={{ id: String(id) }}
                      >
                        {code}
                      </RouteLink>
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </Stack>
    </Alert>
  );
}
