import { Table } from '@mantine/core';
import { formatNumber } from '../texts/format';
import type { Sheet } from './types';

interface Props {
  title: string;
  sheet: Sheet;
}

export function SheetTable({ title, sheet }: Props) {
  return (
    <div role="region" aria-label={title} tabIndex={0} style={{ maxHeight: 360, overflow: 'auto' }}>
      <Table stickyHeader aria-label={title} className="numbers">
        <Table.Thead>
          <Table.Tr>
            {sheet.columns.map((column, index) => (
              <Table.Th key={column} scope="col" ta={index === 0 ? 'left' : 'right'}>
                {column}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sheet.rows.map((cells, row) => (
            <Table.Tr key={row}>
              {cells.map((cell, index) =>
                index === 0 ? (
                  <Table.Th key={index} scope="row" fw={400} style={{ overflowWrap: 'anywhere' }}>
                    {cell}
                  </Table.Th>
                ) : (
                  <Table.Td key={index} ta="right">
                    {typeof cell === 'number' ? formatNumber(cell) : (cell ?? '–')}
                  </Table.Td>
                ),
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
