import { Text } from '@mantine/core';
import type { Schemas } from '../../api/client';
import { RouteLink } from '../../kit/route-link';
import { useTexts } from '../../texts/texts';
import { journeyTexts } from './texts';

interface Props {
  session: Pick<Schemas['ListedSession'], 'linkName' | 'urlId' | 'campaignId'>;
}

export function SourceLink({ session: { linkName, urlId, campaignId } }: Props) {
  const t = useTexts(journeyTexts);
  if (urlId !== null) {
    return (
      <RouteLink to="/links/$id" params={{ id: String(urlId) }} size="sm">
        {linkName ?? t('numbered', { id: urlId })}
      </RouteLink>
    );
  }
  if (campaignId !== null) {
    return (
      <RouteLink to="/campaigns/$id" params={{ id: String(campaignId) }} size="sm">
        {linkName ?? t('numbered', { id: campaignId })}
      </RouteLink>
    );
  }
  return (
    <Text size="sm" span>
      {t('source_direct')}
    </Text>
  );
}
