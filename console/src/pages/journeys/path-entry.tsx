import { Button, Code, Collapse, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useId } from 'react';
import type { Schemas } from '../../api/client';
import { WebLink } from '../../kit/web-link';
import { deviceName } from '../../plots/names';
import { countryName, formatMoney, formatNumber } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { PlatformName } from './platform-name';
import { pathTexts } from './path-texts';
import { journeyTexts } from './texts';

type Session = Schemas['SessionPathResponse'];

interface Props {
  entry: Schemas['PathEntry'];
  session: Session;
}

/** Description of an entry of a path. */
export function EntryText({ entry, session }: Props) {
  const t = useTexts(journeyTexts);
  const p = useTexts(pathTexts);
  const { kind, stage, platform, fromPlatform, eventType, eventData, goalType } = entry;
  switch (kind) {
    case 'CLICK':
      return (
        <Lines title={p('kind_CLICK', { name: session.linkName ?? t('source_direct') })}>
          {session.click && <ClickText click={session.click} />}
        </Lines>
      );
    case 'START':
      return <Lines title={p('kind_START')}>{platform && <PlatformName of={platform} />}</Lines>;
    case 'TRANSITION':
      return (
        <Lines title={p('kind_TRANSITION')}>
          {platform && <PlatformName of={platform} {...(fromPlatform && { from: fromPlatform })} />}
        </Lines>
      );
    case 'STAGE':
      return <Lines title={stage === null ? p('stage') : t(stage)} note={p('kind_STAGE')} />;
    case 'INSTALL':
      return (
        <Lines title={p('kind_INSTALL')}>
          <Text size="sm">
            {[session.install?.platform, session.install?.deviceModel, session.install?.osVersion]
              .filter(Boolean)
              .join(' · ')}
          </Text>
        </Lines>
      );
    case 'EVENT':
      return (
        <Lines title={eventType ?? t('event')} note={p('kind_EVENT')}>
          {eventData && Object.keys(eventData).length > 0 && <EventData data={eventData} />}
        </Lines>
      );
    case 'GOAL':
      return (
        <Lines title={goalType ?? p('goal')} note={p('kind_GOAL')}>
          <GoalText entry={entry} />
        </Lines>
      );
  }
}

interface LinesProps {
  title: string;
  /** Kind of an entry that is named by a customer's text. */
  note?: string;
  children?: React.ReactNode;
}

function Lines({ title, note, children }: LinesProps) {
  return (
    <>
      <Group gap="xs" align="baseline">
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Text>
        {note !== undefined && (
          <Text size="xs" c="dimmed">
            {note}
          </Text>
        )}
      </Group>
      {children}
    </>
  );
}

function ClickText({ click }: { click: NonNullable<Session['click']> }) {
  const { country, deviceType, os, browser, referrer, utmCampaign } = click;
  const device = deviceType && deviceName(deviceType);
  const facts = [country && countryName(country), device, os, browser, utmCampaign].filter(Boolean);
  return (
    <>
      <Text size="sm">{facts.join(' · ')}</Text>
      {referrer !== null && <WebLink href={referrer} size="sm" />}
    </>
  );
}

function GoalText({ entry: { value, currency, transactionId } }: { entry: Schemas['PathEntry'] }) {
  const p = useTexts(pathTexts);
  const amount =
    value === null ? null : currency === null ? formatNumber(value) : formatMoney(value, currency);
  return (
    <Group gap="md">
      {amount !== null && (
        <Text size="sm" className="numbers">
          {amount}
        </Text>
      )}
      {transactionId !== null && (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {p('transaction', { id: transactionId })}
        </Text>
      )}
    </Group>
  );
}

/** Characters of data beyond which they are collapsed. */
const SHORT = 120;

function EventData({ data }: { data: Record<string, unknown> }) {
  const p = useTexts(pathTexts);
  const text = JSON.stringify(data, null, 2);
  const [shown, toggle] = useDisclosure(text.length <= SHORT);
  const id = useId();
  const block = (
    <Code block tabIndex={0} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {text}
    </Code>
  );
  if (text.length <= SHORT) return block;
  return (
    <Stack gap={4} align="stretch">
      <Button
        variant="subtle"
        size="compact-xs"
        w="fit-content"
        aria-expanded={shown}
        aria-controls={id}
        rightSection={shown ? <IconChevronUp size={14} /> : <IconChevronDown size={14} />}
        onClick={toggle.toggle}
      >
        {p(shown ? 'hideData' : 'showData', { count: Object.keys(data).length })}
      </Button>
      <Collapse expanded={shown} id={id}>
        {block}
      </Collapse>
    </Stack>
  );
}
