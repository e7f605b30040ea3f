import { Group, Pill, SegmentedControl } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { TopConversionsResponse_resourceType } from '../../api/values.gen';
import { BreakdownBars } from '../../plots/breakdown-bars';
import { useTexts } from '../../texts/texts';
import { journeyTexts } from './texts';
import type { JourneysView } from './use-journeys-view';

const FEW = 10;
const MANY = 50;

/** Links or campaigns with the most goals; choosing one filters by it. */
export function TopConversions({ view }: { view: JourneysView }) {
  const t = useTexts(journeyTexts);
  const { appId, chosen, days, change } = view;
  const [type, setType] = useState<(typeof TopConversionsResponse_resourceType)[number]>('campaign');
  const [limit, setLimit] = useState(FEW);
  const top = api.useQuery(
    'get',
    '/analytics/conversions/top',
    {
      params: {
        query: {
          ...days,
          resourceType: type,
          ...(appId !== null && { appId }),
          limit,
          ...(chosen.goal && { goalType: chosen.goal }),
        },
      },
    },
    { placeholderData: keepPreviousData },
  );
  // While loading, data of the other type are kept, which must not be shown under this title.
  const items = top.data?.resourceType === type ? top.data.items : undefined;
  const sum = (items ?? []).reduce((before, { conversions }) => before + conversions, 0);
  const keyOf = (id: number) => `${type}:${id}`;
  return (
    <BreakdownBars
      title={t('topConversions')}
      label={t(type === 'url' ? 'link' : 'campaign')}
      subtitle={
        chosen.goal ? (
          <Group gap="xs" mt={4}>
            <Pill
              withRemoveButton
              removeButtonProps={{ 'aria-label': t('removeGoal', { goal: chosen.goal }), tabIndex: 0 }}
              onRemove={() => change({ goal: '' })}
            >
              {chosen.goal}
            </Pill>
          </Group>
        ) : (
          t('topHint')
        )
      }
      actions={
        <SegmentedControl
          size="xs"
          aria-label={t('topConversions')}
          data={TopConversionsResponse_resourceType.map((each) => ({
            value: each,
            label: t(each === 'url' ? 'links' : 'campaigns'),
          }))}
          value={type}
          onChange={(each) => {
            setType(each);
            setLimit(FEW);
          }}
        />
      }
      state={{ ...top, data: items }}
      bars={(items ?? []).map(({ id, name, conversions }) => ({
        key: keyOf(id),
        name,
        value: conversions,
        share: sum > 0 ? conversions / sum : 0,
      }))}
      active={new Set([chosen.source])}
      onPick={(source) => change({ source: source === chosen.source ? '' : source })}
      onMore={limit === FEW && items?.length === FEW ? () => setLimit(MANY) : undefined}
      onLess={limit === MANY ? () => setLimit(FEW) : undefined}
    />
  );
}
