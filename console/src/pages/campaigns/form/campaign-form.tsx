import { Accordion, Checkbox, Group, Select, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { type ApiForm, FormFrame } from '../../../kit/form';
import { common } from '../../../texts/common';
import { useTexts } from '../../../texts/texts';
import { formTexts } from '../../links/form/texts';
import { useDomains } from '../../links/use-choices';
import { type Campaign, shortAddress } from '../campaign';
import { campaignTexts } from '../texts';
import { AppFields, CardFields, type FieldsProps, LifeFields, OtherFields, UtmFields } from './fields';
import type { CampaignValues } from './values';

interface Section {
  readonly key: 'utm' | 'card' | 'life' | 'apps' | 'other';
  readonly fields: readonly (keyof CampaignValues)[];
  readonly content: (props: FieldsProps) => ReactNode;
}

const SECTIONS: readonly Section[] = [
  {
    key: 'utm',
    fields: ['utmSource', 'utmMedium', 'utmCampaign', 'utmTerm', 'utmContent'],
    content: UtmFields,
  },
  { key: 'card', fields: ['ogTitle', 'ogDescription', 'ogImageUrl'], content: CardFields },
  { key: 'life', fields: ['startsAt', 'notStartedUrl', 'expiresAt', 'expiredUrl'], content: LifeFields },
  {
    key: 'apps',
    fields: [
      'iosAppId',
      'iosDeepLinkPath',
      'androidAppId',
      'androidDeepLinkPath',
      'mobileTargetUrl',
      'goalType',
    ],
    content: AppFields,
  },
  {
    key: 'other',
    fields: ['enabled', 'archived', 'forwardQuery', 'showAdPage', 'appendClickId', 'externalId'],
    content: OtherFields,
  },
];

interface Props {
  of: ApiForm<CampaignValues>;
  /** The campaign that is edited. */
  campaign: Campaign | null;
}

/** Every field of a campaign: those that all have, then the others in sections. */
export function CampaignForm({ of, campaign }: Props) {
  const t = useTexts(formTexts);
  const own = useTexts(campaignTexts);
  const c = useTexts(common);
  const { form } = of;
  const { errors } = form;
  const [opened, setOpened] = useState<string[]>([]);
  const [known, setKnown] = useState(errors);
  if (errors !== known) {
    setKnown(errors);
    // An error must not stay out of sight.
    const wrong = SECTIONS.filter(({ fields }) => fields.some((field) => field in errors));
    setOpened([...new Set([...opened, ...wrong.map(({ key }) => key)])]);
  }
  return (
    <FormFrame of={of} label={campaign ? c('save') : own('create')}>
      <TextInput
        label={own('name')}
        description={own('nameHint')}
        required
        data-autofocus
        maxLength={50}
        {...form.getInputProps('name')}
      />
      <TextInput
        type="url"
        label={t('url')}
        placeholder="https://"
        required
        autoComplete="off"
        maxLength={1000}
        {...form.getInputProps('originalUrl')}
      />
      <AliasFields form={form} campaign={campaign} />
      <TextInput label={t('title')} maxLength={200} {...form.getInputProps('title')} />
      <Accordion
        multiple
        variant="separated"
        value={opened}
        onChange={setOpened}
        order={3}
        styles={{ label: { paddingBlock: 10 } }}
      >
        {SECTIONS.map(({ key, content: Content }) => (
          <Accordion.Item key={key} value={key}>
            <Accordion.Control>{key === 'life' ? own('life') : t(key)}</Accordion.Control>
            <Accordion.Panel>{opened.includes(key) && <Content form={form} />}</Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </FormFrame>
  );
}

function AliasFields({ form, campaign }: FieldsProps & { campaign: Campaign | null }) {
  const t = useTexts(formTexts);
  const domains = useDomains();
  const alias = form.getValues().alias.trim();
  const current = campaign?.alias;
  return (
    <>
      <Group gap="sm" align="flex-start" grow preventGrowOverflow={false}>
        {campaign ? (
          <TextInput
            label={t('domain')}
            value={shortAddress(campaign.link).slice(0, -campaign.alias.length - 1)}
            disabled
          />
        ) : (
          <Select
            label={t('domain')}
            data={[{ value: '', label: t('defaultDomain') }, ...domains]}
            allowDeselect={false}
            searchable={domains.length > 8}
            {...form.getInputProps('customDomainId')}
          />
        )}
        <TextInput
          label={t('customAlias')}
          placeholder={t('aliasPlaceholder')}
          maxLength={50}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...form.getInputProps('alias')}
        />
      </Group>
      {current !== undefined && alias !== '' && alias !== current && (
        <Checkbox
          label={t('releaseOld', { alias: current })}
          {...form.getInputProps('releaseOld', { type: 'checkbox' })}
        />
      )}
    </>
  );
}
