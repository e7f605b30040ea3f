import { Badge, Group, Tooltip } from '@mantine/core';
import { IconHeartBroken } from '@tabler/icons-react';
import { WARNING } from '../../kit/colors';
import { useTexts } from '../../texts/texts';
import { linkTexts } from '../links/texts';
import { type Campaign, type CampaignState, stateOf } from './campaign';

const COLORS: Record<CampaignState, string> = {
  active: 'teal.9',
  scheduled: 'waypost.8',
  archived: 'gray.7',
  off: 'gray.7',
  expired: WARNING,
  blocked: 'red.8',
};

/** What visitors of a campaign meet, and what is wrong with its destination. */
export function StateBadge({ campaign }: { campaign: Campaign }) {
  const t = useTexts(linkTexts);
  const state = stateOf(campaign);
  const { healthProblem: problem, healthStatus } = campaign;
  return (
    <Group gap={6} wrap="nowrap">
      <Badge color={COLORS[state]}>{t(state)}</Badge>
      {problem !== null && (
        <Tooltip label={t(problem)}>
          <IconHeartBroken
            size={16}
            role="img"
            aria-label={t(problem)}
            color={`var(--mantine-color-${healthStatus === 'unhealthy' ? 'red' : 'yellow'}-8)`}
          />
        </Tooltip>
      )}
    </Group>
  );
}
