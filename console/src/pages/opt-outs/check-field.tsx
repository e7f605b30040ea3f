import { Badge, Button, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { client } from '../../api/client';
import { useApiForm, unwrap } from '../../kit/form';
import { limited } from '../../kit/limited';
import { useTexts } from '../../texts/texts';
import type { Channel } from './changes';
import { optOutTexts } from './texts';

const MAX = 320;
const COLORS = { isOut: 'red.8', isNotOut: 'teal.9', isNone: 'gray.7' } as const;

/** Checks whether a number or address is on the list. */
export function CheckField({ channel }: { channel: Channel }) {
  const t = useTexts(optOutTexts);
  const [answer, setAnswer] = useState<{ value: string; said: keyof typeof COLORS } | null>(null);
  const check = useApiForm({
    initialValues: { value: '' },
    send: async ({ value }) => {
      setAnswer(null);
      const query = { channel, value };
      const { unsubscribed, problem } = await unwrap(
        client.GET('/messaging/unsubscribes/check', { params: { query } }),
      );
      const said = problem ? 'isNone' : unsubscribed ? 'isOut' : 'isNotOut';
      return { value, said } as const;
    },
    done: setAnswer,
  });
  const { error, ...field } = limited(MAX, check.form.getInputProps('value')) as { error?: string };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        check.submit();
      }}
    >
      <Stack gap={0}>
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <TextInput
            label={t('check')}
            placeholder={channel === 'EMAIL' ? 'minji@example.com' : '010-2345-6789'}
            flex={1}
            maw={300}
            {...field}
            error={error ?? check.problem}
          />
          <Button type="submit" variant="default" loading={check.busy} flex="none">
            {t('checkButton')}
          </Button>
        </Group>
        <div role="status">
          {answer && (
            <Badge size="lg" mt="xs" color={COLORS[answer.said]}>
              {t(answer.said, { value: answer.value })}
            </Badge>
          )}
        </div>
      </Stack>
    </form>
  );
}
