import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { useTexts } from '../../texts/texts';
import { SearchSelect } from './search-select';
import type { Source } from './source';
import { journeyTexts } from './texts';

interface Props {
  value: Source | null;
  /** Whether all links, all campaigns and sessions with neither can be chosen. */
  types: boolean;
  onChange: (source: string) => void;
}

const SHOWN = 10;
const TYPES = ['url', 'campaign', 'direct'] as const;

/** Selects what led to the sessions. */
export function SourceSelect({ value, types, onChange }: Props) {
  const t = useTexts(journeyTexts);
  const [search, setSearch] = useState('');
  const options = { placeholderData: keepPreviousData };
  const links = api.useQuery(
    'get',
    '/urls',
    { params: { query: { size: SHOWN, ...(search && { keyword: search }) } } },
    options,
  );
  const campaigns = api.useQuery(
    'get',
    '/campaigns',
    { params: { query: { size: SHOWN, ...(search && { search }) } } },
    options,
  );
  const name = useSourceName(value);
  const shown = value && (types || value.id !== undefined) ? value : null;
  return (
    <SearchSelect
      label={t('source')}
      placeholder={t('allSources')}
      data={[
        ...(types && search === ''
          ? [{ group: t('kinds'), items: TYPES.map((type) => ({ value: type, label: t(`source_${type}`) })) }]
          : []),
        {
          group: t('campaigns'),
          items: (campaigns.data?.content ?? []).map((campaign) => ({
            value: `campaign:${campaign.id}`,
            label: campaign.name,
          })),
        },
        {
          group: t('links'),
          items: (links.data?.content ?? []).map((link) => ({
            value: `url:${link.id}`,
            label: linkName(link),
          })),
        },
      ]}
      chosen={
        shown && {
          value: shown.id === undefined ? shown.type : `${shown.type}:${shown.id}`,
          label: name,
        }
      }
      clearable
      wide
      loading={links.isPlaceholderData || campaigns.isPlaceholderData}
      onSearch={setSearch}
      onChange={(chosen) => onChange(chosen ?? '')}
    />
  );
}

/** Name of a source; its number until it is loaded. */
function useSourceName(source: Source | null): string {
  const t = useTexts(journeyTexts);
  const path = { id: source?.id ?? 0 };
  const link = api.useQuery(
    'get',
    '/urls/{id}',
    { params: { path } },
    { enabled: source?.type === 'url' && source.id !== undefined },
  );
  const campaign = api.useQuery(
    'get',
    '/campaigns/{id}',
    { params: { path } },
    { enabled: source?.type === 'campaign' && source.id !== undefined },
  );
  if (!source) return '';
  if (source.id === undefined) return t(`source_${source.type}`);
  const known = source.type === 'url' ? link.data && linkName(link.data) : campaign.data?.name;
  return known ?? t('numbered', { id: source.id });
}

function linkName({ title, shortUrl }: { title: string | null; shortUrl: string }): string {
  return title ?? shortUrl.replace(/^https?:\/\//, '');
}
