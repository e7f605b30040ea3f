import { Badge, Group, Tooltip } from '@mantine/core';
import { IconHeartBroken, IconLock } from '@tabler/icons-react';
import { WARNING } from '../../kit/colors';
import { useTexts } from '../../texts/texts';
import { type Link, type LinkState, stateOf } from './link';
import { linkTexts } from './texts';

const COLORS: Record<LinkState, string> = {
  active: 'teal.9',
  scheduled: 'waypost.8',
  archived: 'gray.7',
  off: 'gray.7',
  expired: WARNING,
  usedUp: WARNING,
  blocked: 'red.8',
};

/** What visitors of a link meet, and what is wrong with its destination. */
export function StateBadge({ link }: { link: Link }) {
  const t = useTexts(linkTexts);
  const state = stateOf(link);
  const problem = link.healthProblem;
  return (
    <Group gap={6} wrap="nowrap">
      <Badge color={COLORS[state]} variant="filled" size="sm" tt="none" style={{ flexShrink: 0 }}>
        {t(state)}
      </Badge>
      {link.hasPassword && (
        <Tooltip label={t('hasPassword')}>
          <IconLock size={16} role="img" aria-label={t('hasPassword')} />
        </Tooltip>
      )}
      {problem !== null && (
        <Tooltip label={t(problem)}>
          <IconHeartBroken
            size={16}
            role="img"
            aria-label={t(problem)}
            color={`var(--mantine-color-${link.healthStatus === 'unhealthy' ? 'red' : 'yellow'}-8)`}
          />
        </Tooltip>
      )}
    </Group>
  );
}
