import { Fieldset, MultiSelect, Stack, TagsInput, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api } from '../../api/client';
import { useTexts } from '../../texts/texts';
import { nameOf } from '../links/link';
import { type Choice, useApps } from '../links/use-choices';
import { useTagNames } from '../links/tag-names';
import { webhookTexts } from './texts';
import { type Filters, useFilterNames } from './use-filter-names';

interface Props {
  value: Filters;
  onChange: (value: Partial<Filters>) => void;
  /** Problems by field. */
  errors: Readonly<Record<string, ReactNode>>;
}

const FOUND = 20;
const SETTLED_MS = 250;
const MAX = 100;

/** Limits an endpoint to events about some links, campaigns, tags and apps. */
export function FilterFields({ value, onChange, errors }: Props) {
  const t = useTexts(webhookTexts);
  const names = useFilterNames(value);
  const [link, setLink] = useState('');
  const [campaign, setCampaign] = useState('');
  const options = { placeholderData: keepPreviousData };
  const [linkText] = useDebouncedValue(link.trim(), SETTLED_MS);
  const [campaignText] = useDebouncedValue(campaign.trim(), SETTLED_MS);
  const queryOf = (search: string) => ({ params: { query: { size: FOUND, ...(search && { search }) } } });
  const links = api.useQuery('get', '/urls', queryOf(linkText), options);
  const campaigns = api.useQuery('get', '/campaigns', queryOf(campaignText), options);
  const foundLinks = (links.data?.content ?? []).map((each) => ({
    value: String(each.id),
    label: nameOf(each),
  }));
  const foundCampaigns = (campaigns.data?.content ?? []).map(({ id, name }) => ({
    value: String(id),
    label: name,
  }));
  const apps = useApps();
  const tags = useTagNames();
  return (
    <Fieldset legend={t('filters')} p="sm">
      <Stack gap="sm">
        <Text size="sm">{t('filtersHint')}</Text>
        <MultiSelect
          label={t('links')}
          searchable
          maxValues={MAX}
          data={joined(names.links, foundLinks)}
          filter={({ options: all }) => all}
          searchValue={link}
          onSearchChange={setLink}
          value={value.links.map(String)}
          onChange={(ids) => onChange({ links: ids.map(Number) })}
          error={errors.links}
        />
        <MultiSelect
          label={t('campaigns')}
          searchable
          maxValues={MAX}
          data={joined(names.campaigns, foundCampaigns)}
          filter={({ options: all }) => all}
          searchValue={campaign}
          onSearchChange={setCampaign}
          value={value.campaigns.map(String)}
          onChange={(ids) => onChange({ campaigns: ids.map(Number) })}
          error={errors.campaigns}
        />
        <TagsInput
          label={t('tags')}
          acceptValueOnBlur
          data={tags}
          value={value.tags}
          onChange={(chosen) => onChange({ tags: chosen })}
          error={errors.tags}
        />
        <MultiSelect
          label={t('apps')}
          searchable
          maxValues={MAX}
          data={joined(names.apps, apps)}
          value={value.apps.map(String)}
          onChange={(ids) => onChange({ apps: ids.map(Number) })}
          error={errors.apps}
        />
      </Stack>
    </Fieldset>
  );
}

/** Choices of two lists, each once. */
function joined(chosen: readonly Choice[], found: readonly Choice[]): Choice[] {
  return [...chosen, ...found.filter(({ value }) => !chosen.some((one) => one.value === value))];
}
