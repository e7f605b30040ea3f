import { Group, Stack, Text } from '@mantine/core';
import { Copy } from '../../../kit/copy';
import { WebLink } from '../../../kit/web-link';
import { formatDate, formatNumber } from '../../../texts/format';
import { useTexts } from '../../../texts/texts';
import { linkPageTexts } from '../../link/texts';
import { type Campaign, shortAddress } from '../campaign';
import { StateBadge } from '../../links/state-badge';
import { campaignTexts } from '../texts';

/** The line below the title: URL, destination and state. */
export function Facts({ campaign }: { campaign: Campaign }) {
  const t = useTexts(linkPageTexts);
  const own = useTexts(campaignTexts);
  const { link, originalUrl, clickCount, createdAt, updatedAt, username } = campaign;
  const address = shortAddress(link);
  return (
    <Stack gap={6} mt={4}>
      <Group gap="xs">
        <Group gap={2} wrap="nowrap">
          <WebLink href={link} fw={600}>
            {address}
          </WebLink>
          <Copy value={link} name={address} />
        </Group>
        <StateBadge of={campaign} />
      </Group>
      <Text size="sm" c="dimmed" component="div">
        {t('leadsTo')} <WebLink href={originalUrl} size="sm" />
      </Text>
      <Text size="sm" c="dimmed" className="numbers">
        {t('facts', {
          clicks: formatNumber(clickCount),
          created: formatDate(createdAt),
          changed: formatDate(updatedAt),
        })}
        {campaign.importedClicks > 0 &&
          ` · ${t('importedClicks', { formatted: formatNumber(campaign.importedClicks) })}`}
        {username !== null && ` · ${own('by', { name: username })}`}
      </Text>
    </Stack>
  );
}
