import { Badge, Group, Stack, Text } from '@mantine/core';
import { Copy } from '../../kit/copy';
import { WebLink } from '../../kit/web-link';
import { formatDate, formatNumber } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { addressOf, type Link } from '../links/link';
import { StateBadge } from '../links/state-badge';
import { linkPageTexts } from './texts';

/** The line below the title: URL, destination and state. */
export function Facts({ link }: { link: Link }) {
  const t = useTexts(linkPageTexts);
  const address = addressOf(link);
  return (
    <Stack gap={6} mt={4}>
      <Group gap="xs">
        <Group gap={2} wrap="nowrap">
          <WebLink href={link.link} fw={600}>
            {address}
          </WebLink>
          <Copy value={link.link} name={address} />
        </Group>
        <StateBadge of={link} />
        {link.tags.map((tag) => (
          <Badge key={tag} variant="default" size="sm">
            {tag}
          </Badge>
        ))}
      </Group>
      <Text size="sm" c="dimmed" component="div">
        {t('leadsTo')} <WebLink href={link.originalUrl} size="sm" />
      </Text>
      <Text size="sm" c="dimmed" className="numbers">
        {t('facts', {
          clicks: formatNumber(link.clickCount),
          created: formatDate(link.createdAt),
          changed: formatDate(link.updatedAt),
        })}
        {link.importedClicks > 0 &&
          ` · ${t('importedClicks', { formatted: formatNumber(link.importedClicks) })}`}
        {link.maxClicks !== null &&
          ` · ${t('used', { used: formatNumber(link.usedClicks ?? 0), max: formatNumber(link.maxClicks) })}`}
        {link.disabledReason !== null && ` · ${t('blockedBecause', { reason: link.disabledReason })}`}
      </Text>
    </Stack>
  );
}
