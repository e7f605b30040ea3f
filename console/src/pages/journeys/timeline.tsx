import { Button, Text, Timeline as Steps } from '@mantine/core';
import {
  IconArrowsRightLeft,
  IconBolt,
  IconClick,
  IconDownload,
  IconFlag,
  IconPlayerPlay,
  IconTarget,
} from '@tabler/icons-react';
import { Fragment, useState } from 'react';
import type { Schemas } from '../../api/client';
import { formatDate, formatDuration, formatNumber, formatTime } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { EntryText } from './path-entry';
import { pathTexts } from './path-texts';

type Entry = Schemas['PathEntry'];

const ICONS = {
  CLICK: IconClick,
  START: IconPlayerPlay,
  TRANSITION: IconArrowsRightLeft,
  STAGE: IconFlag,
  INSTALL: IconDownload,
  EVENT: IconBolt,
  GOAL: IconTarget,
} as const;
const COLORS: Record<Entry['kind'], string> = {
  CLICK: 'blue.8',
  START: 'blue.8',
  TRANSITION: 'grape.8',
  STAGE: 'gray.7',
  INSTALL: 'blue.8',
  EVENT: 'gray.7',
  GOAL: 'teal.9',
};
/** Number of entries shown at first; a path can have a thousand. */
const SHOWN = 100;

/** Everything in a session, oldest first, with a heading per day. */
export function Timeline({ session }: { session: Schemas['SessionPathResponse'] }) {
  const p = useTexts(pathTexts);
  const [all, setAll] = useState(false);
  const { path } = session;
  const entries = all ? path : path.slice(0, SHOWN);
  return (
    <>
      <Steps active={entries.length} bulletSize={28} lineWidth={2} role="list">
        {entries.map((entry, index) => {
          const before = entries[index - 1];
          const { kind, at } = entry;
          const Icon = ICONS[kind];
          const day = formatDate(at);
          return (
            <Steps.Item
              // The index is a stable key: entries have no id and are only appended.
              key={index}
              role="listitem"
              color={COLORS[kind]}
              bullet={<Icon size={16} aria-hidden />}
            >
              {(!before || formatDate(before.at) !== day) && (
                <Text size="xs" fw={600} c="dimmed">
                  {day}
                </Text>
              )}
              <EntryText entry={entry} session={session} />
              <Text size="xs" c="dimmed" className="numbers" mt={2}>
                <time dateTime={at}>{formatTime(at)}</time>
                {before && <Gap from={before.at} to={at} />}
              </Text>
            </Steps.Item>
          );
        })}
      </Steps>
      {entries.length < path.length && (
        <Button variant="default" size="compact-sm" mt="md" onClick={() => setAll(true)}>
          {p('showAll', { count: path.length, formatted: formatNumber(path.length) })}
        </Button>
      )}
    </>
  );
}

/** Time since the previous entry; nothing within the same second. */
function Gap({ from, to }: { from: string; to: string }) {
  const p = useTexts(pathTexts);
  const seconds = Math.round((Date.parse(to) - Date.parse(from)) / 1000);
  if (seconds < 1) return null;
  return <Fragment> · {p('later', { duration: formatDuration(seconds) })}</Fragment>;
}
