import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { useTexts } from '../../texts/texts';
import { SearchSelect } from './search-select';
import { journeyTexts } from './texts';

interface Props {
  value: number | null;
  onChange: (app: string) => void;
}

const SHOWN = 20;
const ALL = 'all';

export function AppSelect({ value, onChange }: Props) {
  const t = useTexts(journeyTexts);
  const [search, setSearch] = useState('');
  const apps = api.useQuery(
    'get',
    '/mobile-apps',
    { params: { query: { size: SHOWN, ...(search && { search }) } } },
    { placeholderData: keepPreviousData },
  );
  const found = apps.data?.content ?? [];
  const listed = found.find(({ id }) => id === value);
  const other = api.useQuery(
    'get',
    '/mobile-apps/{id}',
    { params: { path: { id: value ?? 0 } } },
    { enabled: value !== null && apps.data !== undefined && !listed },
  );
  const app = listed ?? other.data;
  const all = { value: ALL, label: t('allApps') };
  return (
    <SearchSelect
      label={t('app')}
      placeholder={t('allApps')}
      data={[
        ...(search === '' ? [all] : []),
        ...found.map(({ id, appName, platform }) => ({
          value: String(id),
          label: `${appName} (${platform})`,
        })),
      ]}
      chosen={
        value === null
          ? all
          : {
              value: String(value),
              label: app ? `${app.appName} (${app.platform})` : t('numbered', { id: value }),
            }
      }
      clearable={false}
      loading={apps.isPlaceholderData}
      onSearch={setSearch}
      onChange={(chosen) => onChange(chosen === ALL ? '' : (chosen ?? ''))}
    />
  );
}
