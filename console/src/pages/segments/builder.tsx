import { ActionIcon, Button, Divider, Group, Paper, Stack, Text } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTexts } from '../../texts/texts';
import { type Draft, type DraftGroup, EMPTY } from './condition';
import { ConditionRow } from './condition-row';
import { segmentTexts } from './texts';
import type { Properties } from './use-properties';

const MOST = 20;

interface Props {
  groups: readonly DraftGroup[];
  properties: Properties;
  /** The API's error at a path such as `0.conditions.1.propValue`. */
  problem: (path: string) => ReactNode;
  onChange: (groups: DraftGroup[]) => void;
}

/** Groups of conditions: within a group joined by AND, groups by OR. */
export function Builder({ groups, properties, problem, onChange }: Props) {
  const t = useTexts(segmentTexts);
  const setGroup = (index: number, conditions: Draft[]) =>
    onChange(groups.map((group, at) => (at === index ? { conditions } : group)));
  return (
    <Stack gap="sm" data-enter-stays>
      {groups.map(({ conditions }, index) => (
        <Stack key={index} gap="sm">
          {index > 0 && <Divider label={t('or')} />}
          <Paper withBorder p="sm" role="group" aria-label={t('conditionGroup', { number: index + 1 })}>
            <Stack gap="xs">
              <Group justify="space-between">
                <Text size="sm" fw={600}>
                  {t('allOf')}
                </Text>
                {groups.length > 1 && (
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={t('removeGroup', { number: index + 1 })}
                    onClick={() => onChange(groups.filter((_, at) => at !== index))}
                  >
                    <IconTrash size={16} />
                  </ActionIcon>
                )}
              </Group>
              {conditions.map((draft, row) => (
                <ConditionRow
                  key={row}
                  draft={draft}
                  number={row + 1}
                  properties={properties}
                  problem={(field) => problem(`${index}.conditions.${row}.${field}`)}
                  onChange={(next) =>
                    setGroup(
                      index,
                      conditions.map((one, at) => (at === row ? next : one)),
                    )
                  }
                  {...(conditions.length > 1 && {
                    onRemove: () =>
                      setGroup(
                        index,
                        conditions.filter((_, at) => at !== row),
                      ),
                  })}
                />
              ))}
              {conditions.length < MOST && (
                <Group>
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    leftSection={<IconPlus size={14} />}
                    onClick={() => setGroup(index, [...conditions, EMPTY])}
                  >
                    {t('addCondition')}
                  </Button>
                </Group>
              )}
            </Stack>
          </Paper>
        </Stack>
      ))}
      {groups.length < MOST && (
        <Group>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={14} />}
            onClick={() => onChange([...groups, { conditions: [EMPTY] }])}
          >
            {t('addGroup')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
