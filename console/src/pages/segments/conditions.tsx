import { Divider, Group, List, Paper, Stack, Text, Title } from '@mantine/core';
import type { Schemas } from '../../api/client';
import { common } from '../../texts/common';
import { useTexts } from '../../texts/texts';
import { useGroups } from '../contacts/use-groups';
import { isAge } from './condition';
import { operatorLabel } from './operator-label';
import { segmentTexts } from './texts';
import { useProperties } from './use-properties';

/** The conditions as text. */
export function Conditions({ groups }: { groups: readonly Schemas['ConditionGroupResponse'][] }) {
  const t = useTexts(segmentTexts);
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {t('conditionGroups')}
      </Title>
      {groups.map(({ conditions }, index) => (
        <Stack key={index} gap="sm">
          {index > 0 && <Divider label={t('or')} />}
          <Paper withBorder p="md">
            <List listStyleType="none" spacing={6}>
              {conditions.map((condition, row) => (
                <List.Item key={row}>
                  <Condition condition={condition} isFirst={row === 0} />
                </List.Item>
              ))}
            </List>
          </Paper>
        </Stack>
      ))}
    </Stack>
  );
}

interface Props {
  condition: Schemas['SegmentConditionResponse'];
  isFirst: boolean;
}

function Condition({ condition: { propKey, propOp, propValue, compareKey }, isFirst }: Props) {
  const t = useTexts(segmentTexts);
  const c = useTexts(common);
  const properties = useProperties();
  const contactGroups = useGroups();
  const values = propValue === null ? [] : Array.isArray(propValue) ? propValue : [propValue];
  const shown = (value: string | number | boolean) => {
    if (typeof value === 'boolean') return c(value ? 'yes' : 'no');
    if (propKey !== 'groupIds') return String(value);
    return contactGroups.find(({ id }) => id === Number(value))?.name ?? String(value);
  };
  return (
    <Group gap={6}>
      {!isFirst && (
        <Text size="sm" c="dimmed">
          {t('and')}
        </Text>
      )}
      <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
        {properties.label(propKey)}
      </Text>
      {isAge(propOp) ? (
        <Text size="sm" fw={600}>
          {t(`${propOp}_given`, { days: values.join() })}
        </Text>
      ) : (
        <>
          <Text size="sm" c="dimmed">
            {operatorLabel(t, propOp, properties.typeOf(propKey))}
          </Text>
          <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
            {compareKey === null ? values.map(shown).join(', ') : properties.label(compareKey)}
          </Text>
        </>
      )}
    </Group>
  );
}
