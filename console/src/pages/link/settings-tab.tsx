import { Button, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { api, client } from '../../api/client';
import { May, useMay } from '../../api/may';
import { CopyText } from '../../kit/copy';
import { unwrap } from '../../kit/form';
import { Result } from '../../kit/loading';
import { common } from '../../texts/common';
import { useTexts } from '../../texts/texts';
import type { Link } from '../links/link';
import { Card } from './card';
import { CountingForm } from './counting-form';
import { FieldList } from './field-list';
import { linkPageTexts } from './texts';

/** The fields of a link, its former aliases, and how its clicks are counted. */
export function SettingsTab({ link, onEdit }: { link: Link; onEdit: () => void }) {
  const t = useTexts(linkPageTexts);
  const c = useTexts(common);
  const mayEdit = useMay('updateOrganizationLinkSettings');
  const params = { path: { id: link.id } };
  const settings = api.useQuery('get', '/links/{id}/settings', { params });
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Card
        title={t('fields')}
        action={
          <May call="updateOrganizationShortUrl">
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconPencil size={16} />}
              onClick={onEdit}
            >
              {c('edit')}
            </Button>
          </May>
        }
      >
        <FieldList link={link} />
      </Card>
      <Stack>
        <Card title={t('counting')}>
          <Result of={settings}>
            {(data) => (
              <CountingForm
                settings={data}
                mayEdit={mayEdit}
                save={(body) => unwrap(client.PUT('/links/{id}/settings', { params, body }))}
              />
            )}
          </Result>
        </Card>
        <Card title={t('formerAliases')}>
          <Text size="sm" c="dimmed">
            {t(link.formerAliases.length > 0 ? 'formerAliasesText' : 'noFormerAliases')}
          </Text>
          {link.formerAliases.map((alias) => (
            <CopyText key={alias} value={link.link.slice(0, link.link.lastIndexOf('/') + 1) + alias} />
          ))}
        </Card>
      </Stack>
    </SimpleGrid>
  );
}
