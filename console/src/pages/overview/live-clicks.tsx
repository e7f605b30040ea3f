import {
  Button,
  Group,
  Indicator,
  Paper,
  ScrollArea,
  Stack,
  Text,
  Title,
  VisuallyHidden,
} from '@mantine/core';
import { useThrottledValue } from '@mantine/hooks';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { RouteLink } from '../../kit/route-link';
import { deviceName } from '../../plots/names';
import { countryName } from '../../texts/format';
import { language, useTexts } from '../../texts/texts';
import { type Target, useTargets } from '../links/use-targets';
import { overviewTexts } from './texts';
import { type LiveClick, useLiveClicks } from './use-live-clicks';

const HEIGHT = 420;
/** Interval at which screen readers are told the number of new clicks. */
const TOLD_EVERY_MS = 20_000;

export function LiveClicks() {
  const t = useTexts(overviewTexts);
  const { clicks, count, connection, missed, paused, waiting, togglePause } = useLiveClicks();
  const targetOf = useTargets(clicks);
  const told = useThrottledValue(count, TOLD_EVERY_MS);
  return (
    <Paper withBorder p="md" component="section" aria-label={t('live')}>
      <Group justify="space-between" wrap="nowrap" mb="xs">
        <div>
          <Group gap="sm">
            <Title order={2} size="h5">
              {t('live')}
            </Title>
            <Indicator
              processing={connection === 'connected' && !paused}
              color={connection === 'connected' ? 'teal' : 'orange'}
              position="middle-center"
              size={9}
            >
              <span />
            </Indicator>
          </Group>
          <Text size="xs" c="dimmed">
            {!paused ? t(connection) : waiting > 0 ? t('waitingClicks', { count: waiting }) : t('paused')}
          </Text>
        </div>
        <Button
          variant="default"
          size="xs"
          leftSection={paused ? <IconPlayerPlay size={14} /> : <IconPlayerPause size={14} />}
          onClick={togglePause}
        >
          {t(paused ? 'resume' : 'pause')}
        </Button>
      </Group>
      <VisuallyHidden role="status" aria-live="polite">
        {told > 0 && t('newClicks', { count: told })}
      </VisuallyHidden>
      {clicks.length === 0 ? (
        <Text size="sm" c="dimmed" ta="center" py="xl">
          {t('waiting')}
        </Text>
      ) : (
        <ScrollArea.Autosize
          mah={HEIGHT}
          type="auto"
          offsetScrollbars="y"
          viewportProps={{ tabIndex: 0, 'aria-label': t('live') }}
        >
          <Stack component="ol" gap={0} m={0} p={0} style={{ listStyle: 'none' }}>
            {clicks.map((click) => (
              <Click key={click.id} click={click} target={targetOf(click)} />
            ))}
            {missed && (
              <Text component="li" size="xs" c="dimmed" py="xs">
                {t('missed')}
              </Text>
            )}
          </Stack>
        </ScrollArea.Autosize>
      )}
    </Paper>
  );
}

interface Props {
  click: LiveClick;
  /** null: deleted; undefined: not loaded yet */
  target: Target | null | undefined;
}

function Click({ click, target }: Props) {
  const t = useTexts(overviewTexts);
  const { clickedAt, country, deviceType, browser, os, referrer, tracker } = click;
  const time = new Date(clickedAt).toLocaleTimeString(language() === 'ko' ? 'ko-KR' : 'en-US');
  const facts = [
    target && target.address !== target.name ? target.address : null,
    country === null ? null : countryName(country),
    [deviceType && deviceName(deviceType), os, browser].filter(Boolean).join(', '),
    referrer ?? t('direct'),
    tracker,
  ].filter(Boolean);
  return (
    <li style={{ padding: '6px 0', borderBottom: '1px solid var(--mantine-color-default-border)' }}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Clicked click={click} target={target} />
        <Text size="xs" c="dimmed" className="numbers" style={{ flexShrink: 0 }}>
          {time}
        </Text>
      </Group>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {facts.join(' · ')}
      </Text>
    </li>
  );
}

function Clicked({ click: { urlId, campaignId }, target }: Props) {
  const t = useTexts(overviewTexts);
  if (target === null) {
    return (
      <Text size="sm" c="dimmed">
        {t(urlId === null ? 'deletedCampaign' : 'deletedLink')}
      </Text>
    );
  }
  const shown = target?.name ?? '…';
  const style = { size: 'sm', fw: 500, lineClamp: 1, title: shown } as const;
  return urlId === null ? (
    <RouteLink to="/campaigns/$id" params={{ id: String(campaignId) }} {...style}>
      {shown}
    </RouteLink>
  ) : (
    <RouteLink to="/links/$id" params={{ id: String(urlId) }} {...style}>
      {shown}
    </RouteLink>
  );
}
