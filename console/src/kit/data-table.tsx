import { Box, Checkbox, Group, Table, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import { useMediaQuery } from '@mantine/hooks';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { common } from '../texts/common';
import { formatNumber } from '../texts/format';
import { useTexts } from '../texts/texts';
import classes from './data-table.module.css';

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** The name by which the API sorts the column. */
  readonly sort?: string;
  readonly align?: 'left' | 'right';
  /** Hidden on screens narrower than this. */
  readonly from?: 'sm' | 'md' | 'lg';
  /** On a phone, shown below the row's first cell instead of in its own column. */
  readonly folds?: boolean;
  /** Not on a phone. */
  readonly width?: number | string;
  /** Whether the title is for screen readers only. */
  readonly titleHidden?: boolean;
}

/** Pages of a list, as `api.useInfiniteQuery` with `PAGED` gives them. */
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
  list: List<Row>;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string | number;
  /** The name of a row, for its checkbox. */
  rowName?: (row: Row) => string;
  /** `field,asc` or `field,desc`. */
  sort?: string;
  onSort?: (sort: string) => void;
  selection?: ReadonlySet<string | number>;
  onSelect?: (selection: ReadonlySet<string | number>) => void;
  empty: ReactNode;
}

const PHONE = '(max-width: 47.99em)';
const ROW_HEIGHT = 57;
/** Rows before the end of what is loaded at which the next page is fetched. */
const AHEAD = 20;

/** A list of any length: only the rows in sight are in the document, and pages are fetched as one scrolls. */
export function DataTable<Row>(props: Props<Row>) {
  const { label, list, columns, rowKey, rowName, sort, onSort, selection, onSelect, empty } = props;
  const t = useTexts(common);
  const isPhone = useMediaQuery(PHONE, false, { getInitialValueInEffect: false });
  const shown = isPhone ? columns.filter(({ folds }) => !folds) : columns;
  const folded = isPhone ? columns.filter(({ folds }) => folds) : [];
  const rows = list.data?.pages.flatMap(({ content }) => content) ?? [];
  const total = list.data?.pages[0]?.totalElements;
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  // Content above the table can load later and move it down.
  useEffect(() => {
    const measure = () => setTop(box.current?.offsetTop ?? 0);
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    scrollMargin: top,
    getItemKey: (index) => rowKey(rows[index] as Row),
  });
  const items = virtual.getVirtualItems();
  const lastShown = items.at(-1)?.index ?? 0;
  const { hasNextPage, isFetchingNextPage } = list;
  const fetchNext = list.fetchNextPage;
  const wanted = hasNextPage && !isFetchingNextPage && lastShown >= rows.length - AHEAD;
  useEffect(() => {
    if (wanted) void fetchNext();
  }, [wanted, fetchNext]);
  if (rows.length === 0) return empty;
  const before = (items[0]?.start ?? top) - top;
  const after = virtual.getTotalSize() - ((items.at(-1)?.end ?? top) - top);
  const span = shown.length + (selection ? 1 : 0);
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
      {total !== undefined && (
        <Text size="sm" c="dimmed" mb={4} className="numbers" role="status">
          {t('rows', { count: total, formatted: formatNumber(total) })}
        </Text>
      )}
      <div className={classes.scroll} role="region" aria-label={label} tabIndex={0}>
        <Table highlightOnHover verticalSpacing="sm" aria-label={label} aria-rowcount={total ?? rows.length}>
          <Table.Thead>
            <Table.Tr>
              {selection && (
                <Table.Th w={40}>
                  <Checkbox
                    aria-label={t('selectAll')}
                    checked={rows.every((row) => selection.has(rowKey(row)))}
                    indeterminate={selection.size > 0 && !rows.every((row) => selection.has(rowKey(row)))}
                    onChange={(event) => toggle(rows.map(rowKey), event.currentTarget.checked)}
                  />
                </Table.Th>
              )}
              {shown.map(({ width, ...column }) => (
                <HeaderCell
                  key={column.key}
                  column={isPhone || width === undefined ? column : { ...column, width }}
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
                  {shown.map(({ key: name, cell, align, from }, place) => (
                    <Table.Td key={name} ta={align} visibleFrom={from}>
                      {cell(row)}
                      {place === 0 &&
                        folded.map((column) => (
                          <Text key={column.key} component="div" size="xs" c="dimmed">
                            {column.cell(row)}
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
  sort: string | undefined;
  onSort: ((sort: string) => void) | undefined;
}

function HeaderCell<Row>({ column, sort, onSort }: HeaderProps<Row>) {
  const t = useTexts(common);
  const { title, titleHidden, sort: field, align, from, width } = column;
  if (field === undefined || !onSort) {
    return (
      <Table.Th ta={align} visibleFrom={from} w={width}>
        {titleHidden ? <VisuallyHidden>{title}</VisuallyHidden> : title}
      </Table.Th>
    );
  }
  const [by, direction] = sort?.split(',') ?? [];
  const active = by === field;
  const Icon = !active ? IconArrowsSort : direction === 'asc' ? IconArrowUp : IconArrowDown;
  return (
    <Table.Th
      ta={align}
      visibleFrom={from}
      w={width}
      aria-sort={active ? (direction === 'asc' ? 'ascending' : 'descending') : 'none'}
    >
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
