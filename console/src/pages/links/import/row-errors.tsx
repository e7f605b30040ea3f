import { Box, Stack, Table, Text } from '@mantine/core';
import { formatNumber } from '../../../texts/format';
import { useTexts } from '../../../texts/texts';
import type { ImportRun } from './import-run';
import { importTexts } from './texts';

/** The rows that fail, each with what the API says. */
export function RowErrors({ run: { errors, failed } }: { run: ImportRun }) {
  const t = useTexts(importTexts);
  return (
    <Stack gap={4}>
      <Box mah={360} style={{ overflow: 'auto' }} role="region" aria-label={t('errors')} tabIndex={0}>
        <Table aria-label={t('errors')} stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={70} ta="right">
                {t('line')}
              </Table.Th>
              <Table.Th>{t('problem')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {errors.map(({ line, message }, index) => (
              <Table.Tr key={index}>
                <Table.Td ta="right" className="numbers">
                  {formatNumber(line)}
                </Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{message}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Box>
      {failed > errors.length && (
        <Text size="xs" c="dimmed">
          {t('firstErrors', { shown: formatNumber(errors.length), failed: formatNumber(failed) })}
        </Text>
      )}
    </Stack>
  );
}
