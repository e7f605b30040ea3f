import { Alert, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconTrash } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { api, type Schemas } from '../../api/client';
import { May } from '../../api/may';
import { Result } from '../../kit/loading';
import { Page } from '../../kit/page';
import { Step, Steps } from '../../kit/steps';
import { formatDate, formatDateTime } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { CodeCase } from './code-case';
import { CheckStep } from './check-step';
import { DomainMenu } from './domain-menu';
import { DomainPages } from './domain-pages';
import { DomainState } from './domain-state';
import { Records } from './records';
import { domainTexts } from './texts';

type Domain = Schemas['CustomDomainResponse'];

export function DomainPage() {
  const { id } = useParams({ from: '/shell/domains/$id' });
  const domain = api.useQuery('get', '/custom-domains/{id}', { params: { path: { id: Number(id) } } });
  return <Result of={domain}>{(loaded) => <LoadedDomain domain={loaded} />}</Result>;
}

function LoadedDomain({ domain }: { domain: Domain }) {
  const t = useTexts(domainTexts);
  const { domainName, ownerUsername, createdAt, status, expectedRecords } = domain;
  const ownership = expectedRecords.filter(({ purpose }) => purpose === 'OWNERSHIP');
  const traffic = expectedRecords.filter(({ purpose }) => purpose === 'TRAFFIC');
  const apex = traffic.find(({ type }) => type === 'ALIAS');
  const proven = status === 'VERIFIED' || status === 'ACTIVE';
  return (
    <Page
      title={domainName}
      subtitle={
        <Group gap="xs" mt={4}>
          <DomainState of={domain} />
          {t('addedBy', { name: ownerUsername, date: formatDate(`${createdAt}Z`) })}
        </Group>
      }
      actions={
        <May call="deleteOrganizationCustomDomain">
          <DomainMenu domain={domain} />
        </May>
      }
    >
      <Stack>
        <Text>{t(`text_${status}`)}</Text>
        <Notices domain={domain} />
        <Steps label={t('stepCheck')}>
          {ownership.length > 0 && (
            <Step
              state={
                proven && domain.failingSince === null ? 'done' : status === 'PENDING' ? 'waiting' : 'missing'
              }
              title={t('stepOwnership')}
            >
              <Text size="sm">{t('ownershipText')}</Text>
              <Records label={t('stepOwnership')} records={ownership} />
            </Step>
          )}
          <Step state={status === 'ACTIVE' ? 'done' : 'waiting'} title={t('stepTraffic')}>
            <Text size="sm">
              {apex
                ? t('apexText', { host: apex.value })
                : t(ownership.length > 0 ? 'trafficText' : 'subdomainText')}
            </Text>
            <Records label={t('stepTraffic')} records={traffic} />
          </Step>
          {ownership.length > 0 && <CheckStep domain={domain} />}
        </Steps>
        <CodeCase domain={domain} />
        <DomainPages key={domain.id} domain={domain} />
      </Stack>
    </Page>
  );
}

function Notices({ domain }: { domain: Domain }) {
  const t = useTexts(domainTexts);
  const { disabledReason, failingSince, deletionRequestedAt } = domain;
  return (
    <>
      {disabledReason !== null && (
        <Alert color="red" icon={<IconAlertTriangle />}>
          {t('disabledText', { reason: disabledReason })}
        </Alert>
      )}
      {failingSince !== null && (
        <Alert color="orange" icon={<IconAlertTriangle />}>
          {t('failingText', { since: formatDateTime(failingSince) })}
        </Alert>
      )}
      {deletionRequestedAt !== null && (
        <Alert color="gray" icon={<IconTrash />}>
          {t('deletionText', { date: formatDate(`${deletionRequestedAt}Z`) })}
        </Alert>
      )}
    </>
  );
}
