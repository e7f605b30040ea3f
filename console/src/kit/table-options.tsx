import { Button, Checkbox, Group, Popover, SegmentedControl, Stack, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { common } from '../texts/common';
import { useTexts } from '../texts/texts';

type Density = 'compact' | 'comfortable';

export interface NamedColumn {
  readonly key: string;
  /** Empty for a column of actions, whose name only screen readers get. */
  readonly title: string;
  /** Whether the title is for screen readers only. */
  readonly titleHidden?: boolean;
  /** Hidden on screens narrower than this. */
  readonly from?: 'sm' | 'md' | 'lg' | 'xl';
  /** Shown only to users who chose it. */
  readonly optional?: boolean;
}

const WIDTHS = { sm: '48em', md: '62em', lg: '75em', xl: '88em' };

/** Row spacing of lists, as chosen by the user. */
export function useDensity() {
  return useLocalStorage<Density>({
    key: 'waypost.density',
    defaultValue: 'compact',
    getInitialValueInEffect: false,
  });
}

/** Columns chosen by the user; null: all for which the screen has room. */
export function useChosenColumns(list: string) {
  return useLocalStorage<string[] | null>({
    key: `waypost.columns.${list}`,
    defaultValue: null,
    getInitialValueInEffect: false,
  });
}

/** Whether a column cannot be hidden: the first one, and the menu. */
export function isFixed({ titleHidden }: Pick<NamedColumn, 'titleHidden'>, index: number): boolean {
  return index === 0 || titleHidden === true;
}

/** Menu for the columns of a list and the spacing of its rows. */
export function TableOptions({ list, columns }: { list: string; columns: readonly NamedColumn[] }) {
  const t = useTexts(common);
  const [density, setDensity] = useDensity();
  const [chosen, choose, reset] = useChosenColumns(list);
  const offered = columns.filter((column, index) => !isFixed(column, index));
  const shown =
    chosen ?? offered.filter(({ from, optional }) => !optional && hasRoom(from)).map(({ key }) => key);
  return (
    <Popover position="bottom-end" width={260} shadow="md" trapFocus>
      <Popover.Target>
        <Button
          size="compact-sm"
          variant="subtle"
          visibleFrom="sm"
          leftSection={<IconAdjustmentsHorizontal size={16} />}
        >
          {t('columns')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('columns')}>
        <Stack gap="sm">
          <Checkbox.Group label={t('columns')} value={[...shown]} onChange={choose}>
            <Stack gap={6} mt={6}>
              {offered.map(({ key, title }) => (
                <Checkbox key={key} value={key} label={title} />
              ))}
            </Stack>
          </Checkbox.Group>
          <div>
            <Text size="sm" fw={500} mb={4}>
              {t('density')}
            </Text>
            <SegmentedControl
              fullWidth
              size="xs"
              aria-label={t('density')}
              value={density}
              onChange={(value) => setDensity(value)}
              data={[
                { value: 'compact', label: t('compact') },
                { value: 'comfortable', label: t('comfortable') },
              ]}
            />
          </div>
          {chosen !== null && (
            <Group justify="flex-end">
              <Button size="compact-sm" variant="subtle" onClick={reset}>
                {t('usualColumns')}
              </Button>
            </Group>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function hasRoom(from: NamedColumn['from']): boolean {
  return from === undefined || matchMedia(`(min-width: ${WIDTHS[from]})`).matches;
}
