import { listOrganizationContacts_origin } from '../../api/values.gen';
import { FilterChoice, FilterDay, FilterMenu, FilterText } from '../../kit/filters';
import { useTexts } from '../../texts/texts';
import { contactTexts } from './texts';
import { useGroups } from './use-groups';
import { useSegments } from './use-segments';
import { type ChangeView, FILTER_NAMES, type FilterName, FILTERS, type View } from './view';

interface Props {
  view: View;
  change: ChangeView;
}

export function Filters({ view, change }: Props) {
  const t = useTexts(contactTexts);
  const groups = useGroups();
  const segments = useSegments();
  const set = FILTER_NAMES.filter((name) => view[name] !== '');
  const shown = (name: FilterName) => {
    const value = view[name];
    if (name === 'groupId') return groups.find(({ id }) => String(id) === value)?.name ?? value;
    if (name === 'segmentId') return segments.find(({ id }) => String(id) === value)?.name ?? value;
    if (name === 'origin') return t(listOrganizationContacts_origin.find((one) => one === value) ?? 'any');
    if (name.endsWith('OptIn')) return t(value === 'true' ? 'given' : 'notGiven');
    return value;
  };
  const field = (name: FilterName) => ({
    label: t(`filter_${name}`),
    value: view[name],
    onChange: (value: string) => change({ [name]: value }),
  });
  const consent = [
    { value: 'true', label: t('given') },
    { value: 'false', label: t('notGiven') },
  ];
  return (
    <FilterMenu
      set={set.map((key) => ({
        key,
        name: t(`filter_${key}`),
        value: shown(key),
        remove: () => change({ [key]: '' }),
      }))}
      onClear={() => change(FILTERS)}
    >
      <FilterChoice
        {...field('groupId')}
        data={groups.map(({ id, name }) => ({ value: String(id), label: name }))}
      />
      {segments.length > 0 && (
        <FilterChoice
          {...field('segmentId')}
          data={segments.map(({ id, name }) => ({ value: String(id), label: name }))}
        />
      )}
      <FilterChoice
        {...field('origin')}
        data={listOrganizationContacts_origin.map((value) => ({ value, label: t(value) }))}
      />
      <FilterText {...field('tag')} max={100} />
      <FilterText {...field('externalUserId')} max={200} />
      <FilterChoice {...field('smsOptIn')} data={consent} />
      <FilterChoice {...field('emailOptIn')} data={consent} />
      <FilterChoice {...field('pushOptIn')} data={consent} />
      <FilterDay {...field('updatedAfter')} />
    </FilterMenu>
  );
}
