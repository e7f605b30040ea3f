import { Button, Indicator, MultiSelect, Pill, Popover, Select, SimpleGrid, TextInput } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { useState } from 'react';
import { ShortUrlResponse_healthStatus } from '../../api/values.gen';
import { me } from '../../api/session';
import { useStore } from '../../api/store';
import { common } from '../../texts/common';
import { useTexts } from '../../texts/texts';
import { useTagNames } from './tag-names';
import { linkTexts } from './texts';
import { useApps, useDomains } from './use-choices';
import { type ChangeView, filtersOf, type ListView, NO_FILTERS, tagsOf, tagsText } from './view';

interface Props {
  view: ListView;
  change: ChangeView;
}

/** The button "Filters" with its fields, and each filter that is set, to be removed. */
export function Filters({ view, change }: Props) {
  const t = useTexts(linkTexts);
  const c = useTexts(common);
  const set = filtersOf(view);
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
          <Fields view={view} change={change} />
        </Popover.Dropdown>
      </Popover>
      {set.map((key) => (
        <Pill
          key={key}
          size="lg"
          withRemoveButton
          removeButtonProps={{
            'aria-label': t('removeFilter', { name: t(`filter_${key}`) }),
            'aria-hidden': false,
            tabIndex: 0,
          }}
          onRemove={() => change({ [key]: '' })}
        >
          <FilterName name={key} view={view} />
        </Pill>
      ))}
      {set.length > 0 && (
        <Button variant="subtle" size="compact-sm" onClick={() => change(NO_FILTERS)}>
          {c('clearFilters')}
        </Button>
      )}
    </>
  );
}

function FilterName({ name, view }: { name: keyof ListView; view: ListView }) {
  const t = useTexts(linkTexts);
  const domains = useDomains();
  const apps = useApps();
  const value = view[name];
  const shown = () => {
    switch (name) {
      case 'tags':
        return tagsOf(view).join(', ');
      case 'customDomainId':
        return value === 'default'
          ? t('defaultDomain')
          : (domains.find((one) => one.value === value)?.label ?? value);
      case 'appId':
        return apps.find((one) => one.value === value)?.label ?? value;
      case 'enabled':
        return t(value === 'true' ? 'on' : 'off');
      case 'archived':
        return t(value === 'true' ? 'archivedOnly' : 'archivedToo');
      case 'expired':
        return t(value === 'true' ? 'expired' : 'notExpired');
      case 'health':
        return t(ShortUrlResponse_healthStatus.find((one) => one === value) ?? 'unknown');
      case 'createdBy':
        return t('me');
      default:
        return value;
    }
  };
  return `${t(`filter_${name}`)}: ${shown()}`;
}

function Fields({ view, change }: Props) {
  const t = useTexts(linkTexts);
  const user = useStore(me);
  const tags = useTagNames();
  const domains = useDomains();
  const apps = useApps();
  const choice = (key: keyof ListView, data: { value: string; label: string }[]) => (
    <Select
      label={t(`filter_${key}`)}
      placeholder={t('any')}
      clearable
      clearButtonProps={{ 'aria-label': t('removeFilter', { name: t(`filter_${key}`) }) }}
      searchable={data.length > 8}
      data={data}
      value={view[key] === '' ? null : view[key]}
      onChange={(value) => change({ [key]: value ?? '' })}
      comboboxProps={{ withinPortal: false }}
    />
  );
  const day = (key: keyof ListView) => (
    <TextInput
      type="date"
      label={t(`filter_${key}`)}
      value={view[key]}
      onChange={(event) => change({ [key]: event.currentTarget.value })}
    />
  );
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      <MultiSelect
        label={t('filter_tags')}
        placeholder={view.tags === '' ? t('any') : ''}
        searchable
        clearable
        openOnFocus={false}
        maxValues={20}
        data={[...new Set([...tags, ...tagsOf(view)])]}
        value={tagsOf(view)}
        onChange={(chosen) => change({ tags: tagsText(chosen) })}
        comboboxProps={{ withinPortal: false }}
      />
      {choice('customDomainId', [{ value: 'default', label: t('defaultDomain') }, ...domains])}
      {choice('enabled', [
        { value: 'true', label: t('on') },
        { value: 'false', label: t('off') },
      ])}
      {choice('archived', [
        { value: 'all', label: t('archivedToo') },
        { value: 'true', label: t('archivedOnly') },
      ])}
      {choice('expired', [
        { value: 'false', label: t('notExpired') },
        { value: 'true', label: t('expired') },
      ])}
      {choice(
        'health',
        ShortUrlResponse_healthStatus.map((value) => ({ value, label: t(value) })),
      )}
      <UtmCampaign view={view} change={change} />
      {apps.length > 0 && choice('appId', apps)}
      {user && choice('createdBy', [{ value: String(user.id), label: t('me') }])}
      {day('createdAfter')}
      {day('createdBefore')}
      {day('expiresAfter')}
      {day('expiresBefore')}
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
