import { Button, Indicator, Pill, Popover, Select, SimpleGrid, TextInput } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { useState } from 'react';
import { listOrganizationContacts_origin } from '../../api/values.gen';
import { common } from '../../texts/common';
import { useTexts } from '../../texts/texts';
import { contactTexts } from './texts';
import { useGroups } from './use-groups';
import { type ChangeView, FILTER_NAMES, type FilterName, FILTERS, type View } from './view';

interface Props {
  view: View;
  change: ChangeView;
}

/** The button "Filters" with its fields, and each filter that is set, to be removed. */
export function Filters({ view, change }: Props) {
  const t = useTexts(contactTexts);
  const c = useTexts(common);
  const groups = useGroups();
  const set = FILTER_NAMES.filter((name) => view[name] !== '');
  const shown = (name: FilterName) => {
    const value = view[name];
    if (name === 'groupId') return groups.find(({ id }) => String(id) === value)?.name ?? value;
    if (name === 'origin') return t(listOrganizationContacts_origin.find((one) => one === value) ?? 'any');
    if (name.endsWith('OptIn')) return t(value === 'true' ? 'given' : 'notGiven');
    return value;
  };
  return (
    <>
      <Popover position="bottom-start" width="min(34rem, calc(100vw - 32px))" shadow="md" trapFocus>
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
      {set.map((name) => (
        <Pill
          key={name}
          size="lg"
          withRemoveButton
          removeButtonProps={{
            'aria-label': t('removeFilter', { name: t(`filter_${name}`) }),
            tabIndex: 0,
          }}
          onRemove={() => change({ [name]: '' })}
        >
          {`${t(`filter_${name}`)}: ${shown(name)}`}
        </Pill>
      ))}
      {set.length > 0 && (
        <Button variant="subtle" size="compact-sm" onClick={() => change(FILTERS)}>
          {c('clearFilters')}
        </Button>
      )}
    </>
  );
}

function Fields({ view, change }: Props) {
  const t = useTexts(contactTexts);
  const groups = useGroups();
  const choice = (name: FilterName, data: { value: string; label: string }[]) => (
    <Select
      label={t(`filter_${name}`)}
      placeholder={t('any')}
      clearable
      clearButtonProps={{ 'aria-label': t('removeFilter', { name: t(`filter_${name}`) }) }}
      searchable={data.length > 8}
      data={data}
      value={view[name] || null}
      onChange={(value) => change({ [name]: value ?? '' })}
      comboboxProps={{ withinPortal: false }}
    />
  );
  const consent = [
    { value: 'true', label: t('given') },
    { value: 'false', label: t('notGiven') },
  ];
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      {choice(
        'groupId',
        groups.map(({ id, name }) => ({ value: String(id), label: name })),
      )}
      {choice(
        'origin',
        listOrganizationContacts_origin.map((value) => ({ value, label: t(value) })),
      )}
      <Exact name="tag" view={view} change={change} />
      <Exact name="externalUserId" view={view} change={change} />
      {choice('smsOptIn', consent)}
      {choice('emailOptIn', consent)}
      {choice('pushOptIn', consent)}
      <TextInput
        type="date"
        label={t('filter_updatedAfter')}
        value={view.updatedAfter}
        onChange={(event) => change({ updatedAfter: event.currentTarget.value })}
      />
    </SimpleGrid>
  );
}

/** Set when the field is left: the API compares the whole value. */
function Exact({ name, view, change }: Props & { name: 'tag' | 'externalUserId' }) {
  const t = useTexts(contactTexts);
  const [typed, setTyped] = useState(view[name]);
  const send = () => change({ [name]: typed.trim() });
  return (
    <TextInput
      label={t(`filter_${name}`)}
      placeholder={t('any')}
      maxLength={name === 'tag' ? 100 : 200}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={send}
      onKeyDown={(event) => event.key === 'Enter' && send()}
    />
  );
}
