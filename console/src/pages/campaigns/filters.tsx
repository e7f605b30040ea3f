import { Button, Indicator, Pill, Popover, Select, SimpleGrid, TextInput } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { useState } from 'react';
import { me } from '../../api/session';
import { useStore } from '../../api/store';
import { CampaignResponse_healthStatus } from '../../api/values.gen';
import { common } from '../../texts/common';
import { useTexts } from '../../texts/texts';
import { linkTexts } from '../links/texts';
import { type Choice, useApps, useDomains } from '../links/use-choices';
import { campaignTexts } from './texts';
import { type ChangeView, filtersOf, type ListView, NO_FILTERS } from './view';

interface Props {
  view: ListView;
  change: ChangeView;
}

type Filter = Exclude<keyof ListView, 'sort' | 'search'>;

/** The button "Filters" with its fields, and each filter that is set, to be removed. */
export function Filters({ view, change }: Props) {
  const t = useTexts(linkTexts);
  const c = useTexts(common);
  const choices = useFilterChoices();
  const set = filtersOf(view) as Filter[];
  return (
    <>
      <Popover position="bottom-start" width="min(36rem, calc(100vw - 32px))" shadow="md" trapFocus>
        <Indicator disabled={set.length === 0} label={set.length} size={18}>
          <Popover.Target>
            <Button variant="default" leftSection={<IconFilter size={16} />}>
              {c('filters')}
            </Button>
          </Popover.Target>
        </Indicator>
        <Popover.Dropdown aria-label={c('filters')} mah="70vh" style={{ overflowY: 'auto' }}>
          <Fields view={view} change={change} choices={choices} />
        </Popover.Dropdown>
      </Popover>
      {set.map((key) => {
        const value = view[key];
        const shown = choices[key]?.find((choice) => choice.value === value)?.label ?? value;
        return (
          <Pill
            key={key}
            size="lg"
            withRemoveButton
            removeButtonProps={{
              'aria-label': t('removeFilter', { name: t(`filter_${key}`) }),
              tabIndex: 0,
            }}
            onRemove={() => change({ [key]: '' })}
          >
            {`${t(`filter_${key}`)}: ${shown}`}
          </Pill>
        );
      })}
      {set.length > 0 && (
        <Button variant="subtle" size="compact-sm" onClick={() => change(NO_FILTERS)}>
          {c('clearFilters')}
        </Button>
      )}
    </>
  );
}

type Choices = Partial<Record<Filter, readonly Choice[]>>;

function useFilterChoices(): Choices {
  const t = useTexts(linkTexts);
  const own = useTexts(campaignTexts);
  const user = useStore(me);
  const domains = useDomains();
  const apps = useApps();
  return {
    customDomainId: [{ value: 'default', label: t('defaultDomain') }, ...domains],
    enabled: [
      { value: 'true', label: t('on') },
      { value: 'false', label: t('off') },
    ],
    archived: [
      { value: 'all', label: own('archivedToo') },
      { value: 'true', label: own('archivedOnly') },
    ],
    expired: [
      { value: 'false', label: t('notExpired') },
      { value: 'true', label: t('expired') },
    ],
    health: CampaignResponse_healthStatus.map((value) => ({ value, label: t(value) })),
    ...(apps.length > 0 && { appId: apps }),
    ...(user && { createdBy: [{ value: String(user.id), label: t('me') }] }),
  };
}

function Fields({ view, change, choices }: Props & { choices: Choices }) {
  const t = useTexts(linkTexts);
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      {(Object.keys(choices) as Filter[]).map((key) => (
        <Select
          key={key}
          label={t(`filter_${key}`)}
          placeholder={t('any')}
          clearable
          clearButtonProps={{ 'aria-label': t('removeFilter', { name: t(`filter_${key}`) }) }}
          searchable={(choices[key]?.length ?? 0) > 8}
          data={[...(choices[key] ?? [])]}
          value={view[key] || null}
          onChange={(value: string | null) => change({ [key]: value ?? '' })}
          comboboxProps={{ withinPortal: false }}
        />
      ))}
      <UtmCampaign view={view} change={change} />
      {(['createdAfter', 'createdBefore', 'expiresAfter', 'expiresBefore'] as const).map((key) => (
        <TextInput
          key={key}
          type="date"
          label={t(`filter_${key}`)}
          value={view[key]}
          onChange={(event) => change({ [key]: event.currentTarget.value })}
        />
      ))}
    </SimpleGrid>
  );
}

/** Set when the field is left: the API compares the whole value. */
function UtmCampaign({ view, change }: Props) {
  const t = useTexts(linkTexts);
  const [typed, setTyped] = useState(view.utmCampaign);
  const send = () => change({ utmCampaign: typed.trim() });
  return (
    <TextInput
      label={t('filter_utmCampaign')}
      placeholder={t('any')}
      maxLength={200}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={send}
      onKeyDown={(event) => event.key === 'Enter' && send()}
    />
  );
}
