import { Accordion, Button, Code, Group, Table, Text } from '@mantine/core';
import type { Schemas } from '../../api/client';
import { formatDate, formatDateTime, formatNumber } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { Section } from './section';
import { contactTexts } from './texts';

type Person = Schemas['PersonExport'];

/** Offers to load everything stored about the person. */
export function AskStored({ onAsk }: { onAsk: () => void }) {
  const t = useTexts(contactTexts);
  return (
    <Section title={t('stored')}>
      <Text size="sm" c="dimmed">
        {t('storedText')}
      </Text>
      <Group>
        <Button variant="default" onClick={onAsk}>
          {t('showStored')}
        </Button>
      </Group>
    </Section>
  );
}

export function PersonActivity({ person: { activity } }: { person: Person }) {
  const t = useTexts(contactTexts);
  return (
    <Section title={t('activity')}>
      {activity.length === 0 ? (
        <Text size="sm">{t('noActivity')}</Text>
      ) : (
        <Table.ScrollContainer minWidth={420} scrollAreaProps={{ tabIndex: 0 }}>
          <Table aria-label={t('activity')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('metric')}</Table.Th>
                <Table.Th ta="right" style={{ whiteSpace: 'nowrap' }}>
                  {t('count')}
                </Table.Th>
                <Table.Th ta="right">{t('sum')}</Table.Th>
                <Table.Th>{t('first')}</Table.Th>
                <Table.Th>{t('last')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {activity.map(({ metric, count, sum, first, last }) => (
                <Table.Tr key={metric}>
                  <Table.Td>
                    <Text size="sm" truncate maw={200} title={metric}>
                      {metric}
                    </Text>
                  </Table.Td>
                  <Table.Td ta="right">{formatNumber(count)}</Table.Td>
                  <Table.Td ta="right">{formatNumber(sum)}</Table.Td>
                  <Table.Td title={formatDateTime(first)}>{formatDate(first)}</Table.Td>
                  <Table.Td title={formatDateTime(last)}>{formatDate(last)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Section>
  );
}

/** Other stored data about the person, by kind. */
export function PersonOthers({ person: { events, others } }: { person: Person }) {
  const t = useTexts(contactTexts);
  const kinds = Object.entries(others).map(([kind, rows]) => ({ kind, label: kind, rows }));
  const filled = [...kinds, { kind: 'events', label: t('events'), rows: events }].filter(
    ({ rows }) => rows.length > 0,
  );
  return (
    <Section title={t('everything')}>
      <Text size="sm" c="dimmed">
        {t(filled.length > 0 ? 'everythingText' : 'noOther')}
      </Text>
      {filled.length > 0 && (
        <Accordion variant="contained">
          {filled.map(({ kind, label, rows }) => (
            <Accordion.Item key={kind} value={kind}>
              <Accordion.Control>
                {label} ({formatNumber(rows.length)})
              </Accordion.Control>
              <Accordion.Panel>
                <Code block tabIndex={0} mah={360} style={{ overflow: 'auto' }}>
                  {JSON.stringify(rows, null, 2)}
                </Code>
              </Accordion.Panel>
            </Accordion.Item>
          ))}
        </Accordion>
      )}
    </Section>
  );
}
