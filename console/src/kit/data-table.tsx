import { Box, Checkbox, Group, Table, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import { useMediaQuery } from '@mantine/hooks';
import { useRouter } from '@tanstack/react-router';
import { useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { common } from '../texts/common';
import { formatNumber } from '../texts/format';
import { useTexts } from '../texts/texts';
import classes from './data-table.module.css';
import { isFixed, type NamedColumn, TableOptions, useChosenColumns, useDensity } from './table-options';

export interface Column<Row> extends NamedColumn {
  readonly cell: (row: Row) => ReactNode;
  /** Sort field of the column in the API. */
  readonly sort?: string;
  readonly align?: 'left' | 'right';
  /** On a phone, shown below the row's first cell instead of in its own column. */
  readonly folds?: boolean;
  /** Not applied on a phone. */
  readonly width?: number | string;
  /** Whether the column takes the remaining width; on a phone, the first one does. */
  readonly grows?: boolean;
}

/** Pages of a list, as returned by `api.useInfiniteQuery` with `PAGED`. */
interface List<Row> {
  readonly data:
    | { readonly pages: readonly { readonly content: readonly Row[]; readonly totalElements?: number }[] }
    | undefined;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
}

interface Props<Row> {
  /** What the table lists, for screen readers. */
  label: string;
  /** Key under which the choice of columns is stored; without it, columns cannot be chosen. */
  name?: string;
  list: List<Row>;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string | number;
  /** Name of a row, for the label of its checkbox. */
  rowName?: (row: Row) => string;
  /** `field,asc` or `field,desc`. */
  sort?: string;
  onSort?: (sort: string) => void;
  selection?: ReadonlySet<string | number>;
  onSelect?: (selection: ReadonlySet<string | number>) => void;
  empty: ReactNode;
}

const PHONE = '(max-width: 47.99em)';
const ROW_HEIGHT = { compact: 31, comfortable: 76 };
/** Number of rows before the end at which the next page is fetched. */
const AHEAD = 20;
/** Heights of rows by history entry, with which a list is restored to its scroll position. */
const measured = new Map<string, VirtualItem[]>();

/** A table of any length: only visible rows are in the document, and pages are fetched while scrolling. */
export function DataTable<Row>(props: Props<Row>) {
  const { label, name, list, columns, rowKey, rowName, sort, onSort, selection, onSelect, empty } = props;
  const t = useTexts(common);
  const isPhone = useMediaQuery(PHONE, false, { getInitialValueInEffect: false });
  const [density] = useDensity();
  const [chosen] = useChosenColumns(name ?? '');
  const wanted = columns.filter(
    (column, index) =>
      isFixed(column, index) ||
      (chosen === null || name === undefined || isPhone ? !column.optional : chosen.includes(column.key)),
  );
  const shown = isPhone ? wanted.filter(({ folds }) => !folds) : wanted;
  const folded = isPhone ? wanted.filter(({ folds }) => folds) : [];
  const rows = list.data?.pages.flatMap(({ content }) => content) ?? [];
  const total = list.data?.pages[0]?.totalElements;
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const { state } = useRouter().latestLocation;
  const [entry] = useState(`${state.__TSR_key ?? ''} ${label}`);
  useLayoutEffect(() => {
    setTop(box.current?.offsetTop ?? 0);
  }, []);
  // Content above the table can load later and move it down.
  useEffect(() => {
    const measure = () => setTop(box.current?.offsetTop ?? 0);
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => (isPhone ? ROW_HEIGHT.comfortable : ROW_HEIGHT[density]),
    overscan: 12,
    scrollMargin: top,
    initialMeasurementsCache: measured.get(entry) ?? [],
    getItemKey: (index) => rowKey(rows[index] as Row),
  });
  const items = virtual.getVirtualItems();
  const lastShown = items.at(-1)?.index ?? 0;
  const { hasNextPage, isFetchingNextPage } = list;
  const fetchNext = list.fetchNextPage;
  const isNear = hasNextPage && !isFetchingNextPage && lastShown >= rows.length - AHEAD;
  useEffect(() => {
    if (isNear) void fetchNext();
  }, [isNear, fetchNext]);
  useEffect(() => {
    return () => {
      measured.set(entry, virtual.measurementsCache);
    };
  }, [entry, virtual]);
  if (rows.length === 0) return empty;
  const before = (items[0]?.start ?? top) - top;
  const after = virtual.getTotalSize() - ((items.at(-1)?.end ?? top) - top);
  const span = shown.length + (selection ? 1 : 0);
  // On screens larger than a phone, chosen columns are always shown.
  const visibleFrom = ({ from }: Column<Row>) =>
    chosen === null || name === undefined || isPhone ? from : undefined;
  const toggle = (keys: readonly (string | number)[], on: boolean) => {
    const next = new Set(selection);
    for (const key of keys) {
      if (on) next.add(key);
      else next.delete(key);
    }
    onSelect?.(next);
  };
  return (
    <Box ref={box}>
      <Group justify="space-between" mb={4} gap="xs">
        {total !== undefined && (
          <Text size="sm" c="dimmed" className="numbers" role="status">
            {t('rows', { count: total, formatted: formatNumber(total) })}
          </Text>
        )}
        {name !== undefined && <TableOptions list={name} columns={columns} />}
      </Group>
      <div className={classes.scroll} role="region" aria-label={label} tabIndex={0} data-density={density}>
        <Table highlightOnHover verticalSpacing="sm" aria-label={label} aria-rowcount={total ?? rows.length}>
          <Table.Thead>
            <Table.Tr>
              {selection && (
                <Table.Th w={40}>
                  <Checkbox
                    aria-label={t('selectAll')}
                    checked={rows.every((row) => selection.has(rowKey(row)))}
                    indeterminate={selection.size > 0 && !rows.every((row) => selection.has(rowKey(row)))}
                    onChange={(event) =>
                      event.currentTarget.checked ? toggle(rows.map(rowKey), true) : onSelect?.(new Set())
                    }
                  />
                </Table.Th>
              )}
              {shown.map((column, index) => (
                <HeaderCell
                  key={column.key}
                  column={column}
                  grows={isPhone ? index === 0 : column.grows === true}
                  isPhone={isPhone}
                  from={visibleFrom(column)}
                  sort={sort}
                  onSort={onSort}
                />
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {before > 0 && <Spacer height={before} span={span} />}
            {items.map(({ index, key }) => {
              const row = rows[index] as Row;
              const selected = selection?.has(rowKey(row)) ?? false;
              return (
                <Table.Tr
                  key={key}
                  data-index={index}
                  ref={virtual.measureElement}
                  aria-rowindex={index + 2}
                  data-selected={selected || undefined}
                >
                  {selection && (
                    <Table.Td>
                      <Checkbox
                        aria-label={t('selectRow', { name: rowName?.(row) ?? String(rowKey(row)) })}
                        checked={selected}
                        onChange={(event) => toggle([rowKey(row)], event.currentTarget.checked)}
                      />
                    </Table.Td>
                  )}
                  {shown.map((column, index) => (
                    <Table.Td
                      key={column.key}
                      ta={column.align}
                      visibleFrom={visibleFrom(column)}
                      data-grows={(isPhone ? index === 0 : column.grows) || undefined}
                    >
                      {column.cell(row)}
                      {index === 0 &&
                        folded.map((below) => (
                          <Text key={below.key} component="div" size="xs" c="dimmed">
                            {below.cell(row)}
                          </Text>
                        ))}
                    </Table.Td>
                  ))}
                </Table.Tr>
              );
            })}
            {after > 0 && <Spacer height={after} span={span} />}
          </Table.Tbody>
        </Table>
      </div>
    </Box>
  );
}

function Spacer({ height, span }: { height: number; span: number }) {
  return (
    <tr aria-hidden>
      <td colSpan={span} style={{ height, padding: 0 }} />
    </tr>
  );
}

interface HeaderProps<Row> {
  column: Column<Row>;
  grows: boolean;
  isPhone: boolean;
  from: Column<Row>['from'];
  sort: string | undefined;
  onSort: ((sort: string) => void) | undefined;
}

function HeaderCell<Row>({ column, grows, isPhone, from, sort, onSort }: HeaderProps<Row>) {
  const t = useTexts(common);
  const { title, titleHidden, sort: field, align } = column;
  const hidden = title === '' ? t('actions') : titleHidden && title;
  const place = {
    ta: align,
    visibleFrom: from,
    w: isPhone ? undefined : column.width,
    'data-grows': grows || undefined,
  };
  if (field === undefined || !onSort) {
    return <Table.Th {...place}>{hidden ? <VisuallyHidden>{hidden}</VisuallyHidden> : title}</Table.Th>;
  }
  const [by, direction] = sort?.split(',') ?? [];
  const active = by === field;
  const Icon = !active ? IconArrowsSort : direction === 'asc' ? IconArrowUp : IconArrowDown;
  return (
    <Table.Th {...place} aria-sort={active ? (direction === 'asc' ? 'ascending' : 'descending') : 'none'}>
      <UnstyledButton
        fz="inherit"
        fw="inherit"
        aria-label={t('sortBy', { name: title })}
        onClick={() => onSort(`${field},${active && direction === 'desc' ? 'asc' : 'desc'}`)}
      >
        <Group gap={4} wrap="nowrap" justify={align === 'right' ? 'flex-end' : 'flex-start'}>
          {title}
          <Icon size={14} opacity={active ? 1 : 0.5} />
        </Group>
      </UnstyledButton>
    </Table.Th>
  );
}
