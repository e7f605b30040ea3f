import { Badge, Group, Tooltip } from '@mantine/core';
import { IconHeartBroken, IconLock } from '@tabler/icons-react';
import { WARNING } from '../../kit/colors';
import { useTexts } from '../../texts/texts';
import { type Link, type LinkState, type Stateful, stateOf } from './link';
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

type Shown = Stateful & Pick<Link, 'healthProblem' | 'healthStatus'> & Partial<Pick<Link, 'hasPassword'>>;

/** State of a link or campaign for visitors, and problems of its destination. */
export function StateBadge({ of }: { of: Shown }) {
  const t = useTexts(linkTexts);
  const state = stateOf(of);
  const problem = of.healthProblem;
  return (
    <Group gap={6} wrap="nowrap">
      <Badge color={COLORS[state]} variant="filled" size="sm" style={{ flexShrink: 0 }}>
        {t(state)}
      </Badge>
      {of.hasPassword && (
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
            color={`var(--mantine-color-${of.healthStatus === 'unhealthy' ? 'red' : 'yellow'}-8)`}
          />
        </Tooltip>
      )}
    </Group>
  );
}
