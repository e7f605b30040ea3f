import { Text } from '@mantine/core';
import { formatNumber } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { linkTexts } from './texts';

/** The clicks of a link or campaign, with those that it has brought along from another product below. */
export function ClickCell({ clickCount, importedClicks }: { clickCount: number; importedClicks: number }) {
  const t = useTexts(linkTexts);
  return (
    <Text size="sm" className="numbers" component="div">
      {formatNumber(clickCount)}
      {importedClicks > 0 && (
        <Text size="xs" c="dimmed" title={t('importedHint')}>
          {t('importedClicks', { formatted: formatNumber(importedClicks) })}
        </Text>
      )}
    </Text>
  );
}
