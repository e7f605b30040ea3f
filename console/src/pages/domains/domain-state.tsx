import { Badge } from '@mantine/core';
import type { Schemas } from '../../api/client';
import { WARNING } from '../../kit/colors';
import { useTexts } from '../../texts/texts';
import { domainTexts } from './texts';

const COLORS = {
  PENDING: 'gray.7',
  VERIFIED: 'waypost',
  ACTIVE: 'teal.9',
  FAILED: 'red.8',
  REVOKED: 'gray.7',
} as const;

export function DomainState({ of }: { of: Schemas['CustomDomainResponse'] }) {
  const t = useTexts(domainTexts);
  if (of.disabledReason !== null) return <Badge color="red.8">{t('disabled')}</Badge>;
  const color = of.failingSince === null ? COLORS[of.status] : WARNING;
  return <Badge color={color}>{t(of.status)}</Badge>;
}
