import { Alert, Input, SegmentedControl, Stack, Table, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { client, type Schemas } from '../../api/client';
import { FormFrame, unwrap, useApiForm } from '../../kit/form';
import { limited } from '../../kit/limited';
import { Panel } from '../../kit/panel';
import { formatNumber } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { AT_ONCE, type Channel } from './changes';
import { ChannelField } from './channel-field';
import { optOutTexts } from './texts';

interface Refused {
  line: number;
  value: string | null;
  reason: Schemas['InvalidItem']['reason'];
}
interface Outcome {
  text: string;
  refused: readonly Refused[];
}
interface Props {
  channel: Channel;
  onClose: () => void;
}

/** Registers or removes many values, one per line. */
export function BulkPanel({ channel: first, onClose }: Props) {
  const t = useTexts(optOutTexts);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const bulk = useApiForm({
    initialValues: { channel: first, act: 'register', values: '', source: '' },
    send: async ({ channel, act, values, source }): Promise<Outcome> => {
      setOutcome(null);
      const lines = linesOf(values);
      if (act === 'register') {
        const { accepted, duplicated, refused } = await register(channel, lines, source);
        const counts = { accepted, duplicated, invalid: refused.length };
        return { text: t('bulkRegistered', formatted(counts)), refused };
      }
      return { text: t('bulkRemoved', formatted(await remove(channel, lines))), refused: [] };
    },
    done: setOutcome,
  });
  const { form } = bulk;
  const { channel, act } = form.getValues();
  return (
    <Panel opened title={t('bulkTitle')} onClose={onClose}>
      <FormFrame of={bulk} label={t(act === 'register' ? 'bulkRegister' : 'bulkRemove')}>
        <Input.Wrapper label={t('bulkAct')} labelElement="div">
          <SegmentedControl
            fullWidth
            aria-label={t('bulkAct')}
            data={[
              { value: 'register', label: t('bulkRegister') },
              { value: 'remove', label: t('bulkRemove') },
            ]}
            {...form.getInputProps('act')}
          />
        </Input.Wrapper>
        <ChannelField
          value={channel}
          error={form.errors.channel}
          onChange={(next) => form.setFieldValue('channel', next)}
        />
        <Textarea
          label={t('values')}
          description={t('valuesHint')}
          required
          autosize
          minRows={6}
          maxRows={16}
          data-autofocus
          {...form.getInputProps('values')}
        />
        {act === 'register' && (
          <TextInput
            label={t('source')}
            description={t('sourceHint')}
            {...limited(200, form.getInputProps('source'))}
          />
        )}
        {outcome && <Shown outcome={outcome} />}
      </FormFrame>
    </Panel>
  );
}

/** Lines with a value, and their numbers. */
function linesOf(text: string): { line: number; value: string }[] {
  return text
    .split('\n')
    .map((value, index) => ({ line: index + 1, value: value.trim() }))
    .filter(({ value }) => value !== '');
}

async function register(channel: Channel, lines: ReturnType<typeof linesOf>, source: string) {
  const sum = { accepted: 0, duplicated: 0, refused: [] as Refused[] };
  for (const lot of lots(lines)) {
    const items = lot.map(({ value }) => ({ value }));
    const body = { channel, items, source: source === '' ? null : source };
    const answer = await unwrap(client.POST('/messaging/unsubscribes/bulk', { body }));
    // A synchronous response has the results.
    if (!('accepted' in answer)) continue;
    sum.accepted += answer.accepted;
    sum.duplicated += answer.duplicated;
    for (const { index, value, reason } of answer.invalid) {
      sum.refused.push({ line: lot[index]?.line ?? 0, value, reason });
    }
  }
  return sum;
}

async function remove(channel: Channel, lines: ReturnType<typeof linesOf>) {
  const sum = { deleted: 0, notFound: 0 };
  for (const lot of lots(lines)) {
    const body = { channel, values: lot.map(({ value }) => value) };
    const { deleted, notFound } = await unwrap(client.DELETE('/messaging/unsubscribes/bulk', { body }));
    sum.deleted += deleted;
    sum.notFound += notFound;
  }
  return sum;
}

/** Splits a list into parts; an empty list is one part, for which the API returns an error. */
function lots<T>(all: readonly T[]): T[][] {
  const count = Math.max(1, Math.ceil(all.length / AT_ONCE));
  return Array.from({ length: count }, (_, lot) => all.slice(lot * AT_ONCE, (lot + 1) * AT_ONCE));
}

function formatted<Key extends string>(counts: Record<Key, number>): Record<Key, string> {
  const entries = Object.entries<number>(counts).map(([key, count]) => [key, formatNumber(count)]);
  return Object.fromEntries(entries) as Record<Key, string>;
}

function Shown({ outcome: { text, refused } }: { outcome: Outcome }) {
  const t = useTexts(optOutTexts);
  return (
    <Stack gap="xs" role="status">
      <Alert color={refused.length > 0 ? 'yellow' : 'teal'}>{text}</Alert>
      {refused.length > 0 && (
        <Table aria-label={t('refused')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={64} ta="right">
                {t('line')}
              </Table.Th>
              <Table.Th>{t('value')}</Table.Th>
              <Table.Th>{t('problem')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {refused.slice(0, 100).map(({ line, value, reason }) => (
              <Table.Tr key={line}>
                <Table.Td ta="right">{line}</Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
                <Table.Td>
                  <Text size="sm">{t(reason)}</Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Stack>
  );
}
