import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { useTexts } from '../texts/texts';
import { conversionTexts } from './conversion-texts';
import type { Column } from './data-table';
import type { Conversions } from './use-conversions';

/** Conversion columns that the user may see. @param keyOf must be a stable function */
export function useConversionColumns<Row>(
  { showsConversions, showsRevenue, of }: Conversions,
  keyOf: (row: Row) => string,
): Column<Row>[] {
  const t = useTexts(conversionTexts);
  return useMemo(() => {
    const conversions: Column<Row> = {
      key: 'conversions',
      title: t('conversions'),
      align: 'right',
      from: 'lg',
      width: 110,
      cell: (row) => (
        <Text size="sm" className="numbers">
          {of(keyOf(row))?.conversions ?? '–'}
        </Text>
      ),
    };
    const revenue: Column<Row> = {
      key: 'revenue',
      title: t('revenue'),
      align: 'right',
      from: 'lg',
      width: 120,
      cell: (row) => <Revenue of={of(keyOf(row))} />,
    };
    return [...(showsConversions ? [conversions] : []), ...(showsRevenue ? [revenue] : [])];
  }, [t, showsConversions, showsRevenue, of, keyOf]);
}

function Revenue({ of }: { of: ReturnType<Conversions['of']> }) {
  if (!of) return '–';
  return (
    <>
      <Text size="sm" className="numbers">
        {of.revenue}
      </Text>
      {of.also && (
        <Text size="xs" c="dimmed" className="numbers" maw={160} ml="auto" truncate title={of.also}>
          {of.also}
        </Text>
      )}
    </>
  );
}
