import { MultiSelect } from '@mantine/core';
import { FilterChoice, FilterMenu } from '../../kit/filters';
import { common } from '../../texts/common';
import { useTexts } from '../../texts/texts';
import { SharedFields, shownValue, useFilterChoices } from './shared-filters';
import { useTagNames } from './tag-names';
import { linkTexts } from './texts';
import { type ChangeView, filtersOf, type ListView, NO_FILTERS, tagsOf, tagsText } from './view';

interface Props {
  view: ListView;
  change: ChangeView;
}

export function Filters({ view, change }: Props) {
  const t = useTexts(linkTexts);
  const choices = useFilterChoices();
  const adPage = [
    { value: 'true', label: t('withAdPage') },
    { value: 'false', label: t('withoutAdPage') },
  ];
  const shown = (key: keyof ListView) => {
    if (key === 'tags') return tagsOf(view).join(', ');
    if (key === 'showAdPage') return adPage.find(({ value }) => value === view.showAdPage)?.label ?? '';
    return shownValue(choices, key, view[key]);
  };
  return (
    <FilterMenu
      set={filtersOf(view).map((key) => ({
        key,
        name: t(`filter_${key}`),
        value: shown(key),
        remove: () => change({ [key]: '' }),
      }))}
      onClear={() => change(NO_FILTERS)}
    >
      <Tags view={view} change={change} />
      <SharedFields choices={choices} view={view} change={change} />
      <FilterChoice
        label={t('filter_showAdPage')}
        value={view.showAdPage}
        onChange={(showAdPage) => change({ showAdPage })}
        data={adPage}
      />
    </FilterMenu>
  );
}

function Tags({ view, change }: Props) {
  const t = useTexts(linkTexts);
  const c = useTexts(common);
  const tags = useTagNames();
  return (
    <MultiSelect
      label={t('filter_tags')}
      placeholder={view.tags === '' ? c('any') : ''}
      searchable
      clearable
      openOnFocus={false}
      maxValues={20}
      data={[...new Set([...tags, ...tagsOf(view)])]}
      value={tagsOf(view)}
      onChange={(chosen) => change({ tags: tagsText(chosen) })}
      comboboxProps={{ withinPortal: false }}
    />
  );
}
