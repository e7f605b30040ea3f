import { Badge } from '@mantine/core';
import { useTexts } from '../../texts/texts';
import { segmentTexts } from './texts';

export function SegmentState({ isActive }: { isActive: boolean }) {
  const t = useTexts(segmentTexts);
  return <Badge color={isActive ? 'teal.9' : 'gray.7'}>{t(isActive ? 'active' : 'inactive')}</Badge>;
}
