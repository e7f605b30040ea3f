import { MultiSelect } from '@mantine/core';
import { FilterMenu } from '../../kit/filters';
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

/** The filters of the list of links. */
export function Filters({ view, change }: Props) {
  const t = useTexts(linkTexts);
  const choices = useFilterChoices();
  return (
    <FilterMenu
      set={filtersOf(view).map((key) => ({
        key,
        name: t(`filter_${key}`),
        value: key === 'tags' ? tagsOf(view).join(', ') : shownValue(choices, key, view[key]),
        remove: () => change({ [key]: '' }),
      }))}
      onClear={() => change(NO_FILTERS)}
    >
      <Tags view={view} change={change} />
      <SharedFields choices={choices} view={view} change={change} />
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
