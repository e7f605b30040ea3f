import { TextInput } from '@mantine/core';
import { type ApiForm, FormFrame } from '../../../kit/form';
import { limited } from '../../../kit/limited';
import { common } from '../../../texts/common';
import { useTexts } from '../../../texts/texts';
import { CampaignAliasAvailability } from '../../links/form/alias-availability';
import { AliasField } from '../../links/form/alias-field';
import { AppFields } from '../../links/form/app-fields';
import { CardFields } from '../../links/form/card-fields';
import { DestinationFields } from '../../links/form/destination-fields';
import { followDestination } from '../../links/form/destination-utm';
import { FormSections } from '../../links/form/form-sections';
import { LifeFields } from '../../links/form/life-fields';
import { OtherFields } from '../../links/form/other-fields';
import { SECTION_FIELDS } from '../../links/form/sections';
import { TagsField } from '../../links/form/tags-field';
import { formTexts } from '../../links/form/texts';
import { UtmFields } from '../../links/form/utm-fields';
import { linkTexts } from '../../links/texts';
import { useDomains } from '../../links/use-choices';
import { type Campaign, shortAddress } from '../campaign';
import { campaignTexts } from '../texts';
import type { CampaignValues } from './values';

interface Props {
  of: ApiForm<CampaignValues>;
  /** The edited campaign; null for a new one. */
  campaign: Campaign | null;
}

/** All fields of a campaign: the main ones, then the others in sections. */
export function CampaignForm({ of, campaign }: Props) {
  const t = useTexts(formTexts);
  const own = useTexts(campaignTexts);
  const l = useTexts(linkTexts);
  const c = useTexts(common);
  const { form } = of;
  const { originalUrl: url, alias, customDomainId, expiresAt } = form.getValues();
  const domains = useDomains();
  const domain = campaign
    ? domains.find(({ label }) => label === campaign.customDomainName)?.value
    : customDomainId;
  const { utm, card, life, destinations, apps, other } = SECTION_FIELDS;
  return (
    <FormFrame of={of} label={campaign ? c('save') : l('create', { context: 'campaign' })}>
      <TextInput
        label={own('name')}
        description={own('nameHint')}
        required
        data-autofocus

        {...limited(50, form.getInputProps('name'))}
      />
      <TextInput
        type="url"
        label={t('url')}
        placeholder="https://"
        required
        autoComplete="off"
        {...limited(1000, form.getInputProps('originalUrl'))}
        onChange={({ currentTarget: { value } }) => {
          followDestination(form, url, value);
          form.setFieldValue('originalUrl', value);
        }}
      />
      <AliasField
        form={form}
        field="alias"
        alias={alias.trim()}
        saved={campaign && { address: shortAddress(campaign.link), alias: campaign.alias }}
      >
        <CampaignAliasAvailability alias={alias.trim()} domain={domain ?? ''} edited={campaign?.id} />
      </AliasField>
      <TextInput label={t('title')} {...limited(200, form.getInputProps('title'))} />
      <TagsField form={form} />
      <FormSections
        form={form}
        sections={[
          { title: t('utm'), fields: utm, content: () => <UtmFields form={form} url={url} /> },
          { title: t('card'), fields: card, content: () => <CardFields form={form} url={url} /> },
          {
            title: t('life'),
            fields: life,
            content: () => (
              <LifeFields
                form={form}
                end="expiresAt"
                expiry={expiresAt}
                expiredHint={own('expiredHint')}
                hasPassword={campaign?.hasPassword ?? false}
              />
            ),
          },
          {
            title: t('destinations'),
            fields: destinations,
            content: () => <DestinationFields form={form} url={url} />,
          },
          { title: t('apps'), fields: apps, content: () => <AppFields form={form} /> },
          {
            title: t('other'),
            fields: other,
            content: () => <OtherFields form={form} enabledHint={own('enabledHint')} />,
          },
        ]}
      />
    </FormFrame>
  );
}
