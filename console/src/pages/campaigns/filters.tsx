import { FilterMenu } from '../../kit/filters';
import { useTexts } from '../../texts/texts';
import { SharedFields, shownValue, useFilterChoices } from '../links/shared-filters';
import { linkTexts } from '../links/texts';
import { type ChangeView, filtersOf, type ListView, NO_FILTERS } from './view';

export function Filters({ view, change }: { view: ListView; change: ChangeView }) {
  const t = useTexts(linkTexts);
  const choices = useFilterChoices();
  return (
    <FilterMenu
      set={filtersOf(view).map((key) => ({
        key,
        name: t(`filter_${key}`),
        value: shownValue(choices, key, view[key]),
        remove: () => change({ [key]: '' }),
      }))}
      onClear={() => change(NO_FILTERS)}
    >
      <SharedFields choices={choices} view={view} change={change} />
    </FilterMenu>
  );
}
