import { Button, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { api, client } from '../../../api/client';
import { May, useMay } from '../../../api/may';
import { CopyText } from '../../../kit/copy';
import { unwrap } from '../../../kit/form';
import { Result } from '../../../kit/loading';
import { common } from '../../../texts/common';
import { useTexts } from '../../../texts/texts';
import { Card } from '../../link/card';
import { CountingForm } from '../../link/counting-form';
import { FieldList } from '../../link/field-list';
import { linkPageTexts } from '../../link/texts';
import type { Campaign } from '../campaign';
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
        <FieldList link={campaign} name={campaign.name} />
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
