import { Button, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { api, client } from '../../../api/client';
import { May, useMay } from '../../../api/may';
import { CopyText } from '../../../kit/copy';
import { unwrap } from '../../../kit/form';
import { Result } from '../../../kit/loading';
import { WebLink } from '../../../kit/web-link';
import { common } from '../../../texts/common';
import { formatDateTime } from '../../../texts/format';
import { useTexts } from '../../../texts/texts';
import { Card } from '../../link/card';
import { CountingForm } from '../../link/counting-form';
import { linkPageTexts } from '../../link/texts';
import { formTexts } from '../../links/form/texts';
import { UTM_FIELDS } from '../../links/form/shared-values';
import type { Campaign } from '../campaign';
import { campaignTexts } from '../texts';
import { campaignPageTexts } from './texts';

/** The fields of a campaign, its former aliases, and how its clicks are counted. */
export function SettingsTab({ campaign, onEdit }: { campaign: Campaign; onEdit: () => void }) {
  const t = useTexts(linkPageTexts);
  const own = useTexts(campaignPageTexts);
  const c = useTexts(common);
  const mayEdit = useMay('updateOrganizationCampaignSettings');
  const { id, link, alias, formerAliases } = campaign;
  const params = { path: { id } };
  const settings = api.useQuery('get', '/campaigns/{id}/settings', { params });
  const edit = (
    <May call="updateOrganizationCampaign">
      <Button size="compact-sm" variant="default" leftSection={<IconPencil size={16} />} onClick={onEdit}>
        {c('edit')}
      </Button>
    </May>
  );
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Card title={t('fields')} action={edit}>
        <Fields campaign={campaign} />
      </Card>
      <Stack>
        <Card title={t('counting')}>
          <Result of={settings}>
            {(data) => (
              <CountingForm
                settings={data}
                mayEdit={mayEdit}
                save={(body) => unwrap(client.PUT('/campaigns/{id}/settings', { params, body }))}
              />
            )}
          </Result>
        </Card>
        <Card title={t('formerAliases')}>
          <Text size="sm" c="dimmed">
            {own(formerAliases.length > 0 ? 'formerAliasesText' : 'noFormerAliases')}
          </Text>
          {formerAliases.map((former) => (
            <CopyText key={former} value={link.slice(0, -alias.length) + former} />
          ))}
        </Card>
      </Stack>
    </SimpleGrid>
  );
}

/** All fields of a campaign that have a value. */
function Fields({ campaign }: { campaign: Campaign }) {
  const t = useTexts(campaignTexts);
  const f = useTexts(formTexts);
  const c = useTexts(common);
  const address = (url: string | null) => url !== null && <WebLink href={url} size="sm" />;
  const time = (value: string | null) => value !== null && formatDateTime(value);
  const yes = (value: boolean) => c(value ? 'yes' : 'no');
  const { appendClickId } = campaign;
  const rows: [label: string, value: ReactNode][] = [
    [t('name'), campaign.name],
    [f('url'), address(campaign.originalUrl)],
    [f('title'), campaign.title],
    ...UTM_FIELDS.map((field): [string, ReactNode] => [f(field), campaign[field]]),
    [f('ogTitle'), campaign.ogTitle],
    [f('ogDescription'), campaign.ogDescription],
    [f('ogImageUrl'), address(campaign.ogImageUrl)],
    [f('startsAt'), time(campaign.startsAt)],
    [f('notStartedUrl'), address(campaign.notStartedUrl)],
    [f('expirationDate'), time(campaign.expiresAt)],
    [f('expiredUrl'), address(campaign.expiredUrl)],
    [f('iosAppId'), campaign.iosAppName ?? campaign.iosAppId],
    [f('iosDeepLinkPath'), campaign.iosDeepLinkPath],
    [f('androidAppId'), campaign.androidAppName ?? campaign.androidAppId],
    [f('androidDeepLinkPath'), campaign.androidDeepLinkPath],
    [f('mobileTargetUrl'), address(campaign.mobileTargetUrl)],
    [f('goalType'), campaign.goalType],
    [f('enabled'), yes(campaign.enabled)],
    [f('archived'), yes(campaign.archived)],
    [f('forwardQuery'), yes(campaign.forwardQuery)],
    [
      f('appendClickId'),
      f(appendClickId === null ? 'asOrganization' : appendClickId ? 'append' : 'appendNot'),
    ],
    [f('externalId'), campaign.externalId],
  ];
  return (
    <Table variant="vertical" layout="fixed" withTableBorder={false}>
      <Table.Tbody>
        {rows
          .filter(([, value]) => value !== null && value !== false)
          .map(([label, value]) => (
            <Table.Tr key={label}>
              <Table.Th w="38%">{label}</Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
            </Table.Tr>
          ))}
      </Table.Tbody>
    </Table>
  );
}
