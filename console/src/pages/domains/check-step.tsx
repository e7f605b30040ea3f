import { Button, Group, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useEffect } from 'react';
import { api, type Schemas } from '../../api/client';
import { useMay } from '../../api/may';
import { Problem } from '../../kit/loading';
import { Step } from '../../kit/steps';
import { showError } from '../../kit/toasts';
import { formatAgo } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { Records } from './records';
import { showCheck } from './show-check';
import { domainTexts } from './texts';

const EVERY_MS = 10_000;

/** Result of the last check, repeated until the domain is ready. */
export function CheckStep({ domain }: { domain: Schemas['CustomDomainResponse'] }) {
  const t = useTexts(domainTexts);
  const may = useMay('verifyOrganizationCustomDomain');
  const { id, status, lastCheck } = domain;
  const now = api.useMutation('post', '/custom-domains/{id}/verify');
  const watching = may && (status === 'PENDING' || status === 'VERIFIED');
  const { error } = useRepeatedCheck(id, watching);
  const check = () =>
    now.mutate(
      { params: { path: { id } } },
      { onSuccess: showCheck, onError: (refused) => showError(refused) },
    );
  const state =
    lastCheck?.problem === null ? 'done' : lastCheck || status !== 'PENDING' ? 'missing' : 'waiting';
  return (
    <Step state={watching && state === 'missing' ? 'waiting' : state} title={t('stepCheck')}>
      <Group justify="space-between" align="flex-start" gap="xs">
        <Text size="sm" flex={1} miw={220} role="status">
          {lastCheck ? t(lastCheck.problem ?? 'allFound') : t('notChecked')}{' '}
          {lastCheck && (
            <Text span c="dimmed" size="sm">
              {t('checkedAgo', { when: formatAgo(lastCheck.checkedAt) })} {watching && t('watching')}
            </Text>
          )}
        </Text>
        {may && (
          <Button
            size="xs"
            variant={watching ? 'default' : 'filled'}
            leftSection={<IconRefresh size={14} />}
            loading={now.isPending}
            onClick={check}
          >
            {t('checkNow')}
          </Button>
        )}
      </Group>
      {error && <Problem error={error} />}
      {lastCheck && (
        <div>
          <Text size="sm" fw={500} mb={4}>
            {t('found')}
          </Text>
          {lastCheck.found.length > 0 ? (
            <Records label={t('found')} records={lastCheck.found} />
          ) : (
            <Text size="sm" c="dimmed">
              {t('nothingFound')}
            </Text>
          )}
        </div>
      )}
    </Step>
  );
}

/** Checks a domain every few seconds while the page is visible. */
function useRepeatedCheck(id: number, on: boolean) {
  const { mutate, error } = api.useMutation('post', '/custom-domains/{id}/verify');
  useEffect(() => {
    if (!on) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden) mutate({ params: { path: { id } } });
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [id, on, mutate]);
  return { error: on ? error : null };
}
