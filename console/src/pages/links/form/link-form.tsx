import { TextInput } from '@mantine/core';
import { useEffect } from 'react';
import { FormFrame } from '../../../kit/form';
import { limited } from '../../../kit/limited';
import { common } from '../../../texts/common';
import { useTexts } from '../../../texts/texts';
import { addressOf, codeOf } from '../link';
import { useDomains } from '../use-choices';
import { LinkAliasAvailability } from './alias-availability';
import { AliasField } from './alias-field';
import { AppFields } from './app-fields';
import { CardFields } from './card-fields';
import { followDestination } from './destination-utm';
import { DestinationFields } from './destination-fields';
import { FormSections } from './form-sections';
import { LifeFields } from './life-fields';
import { OtherFields } from './other-fields';
import { SECTION_FIELDS } from './sections';
import { formTexts } from './texts';
import { TagsField } from './tags-field';
import { useOwnTitle } from './use-own-title';
import { UtmFields } from './utm-fields';
import type { FieldsProps } from './values';

/** All fields of a link: the main ones, then the others in sections. */
export function LinkForm({ of, link, onOwnTitle }: FieldsProps & { onOwnTitle?: (title: string) => void }) {
  const t = useTexts(formTexts);
  const c = useTexts(common);
  const { form } = of;
  const domains = useDomains();
  const { url, customAlias, customDomainId, expirationDate } = form.getValues();
  const found = useOwnTitle(link ? '' : url);
  useEffect(() => {
    onOwnTitle?.(found);
  }, [onOwnTitle, found]);
  const alias = customAlias.trim();
  const domain = link ? domains.find(({ label }) => label === link.customDomainName)?.value : customDomainId;
  const { utm, card, life, destinations, apps, other } = SECTION_FIELDS;
  return (
    <FormFrame of={of} label={link ? c('save') : t('create')}>
      <TextInput
        type="url"
        label={t('url')}
        placeholder="https://"
        required
        data-autofocus
        autoComplete="off"
        {...limited(1000, form.getInputProps('url'))}
        onChange={({ currentTarget: { value } }) => {
          followDestination(form, url, value);
          form.setFieldValue('url', value);
        }}
      />
      <AliasField
        form={form}
        field="customAlias"
        alias={alias}
        saved={link ? { address: addressOf(link), alias: codeOf(link) } : null}
      >
        <LinkAliasAvailability alias={alias} domain={domain ?? ''} edited={link?.id} />
      </AliasField>
      <TextInput
        label={t('title')}
        placeholder={found}
        description={found && t('titleHint')}
        {...limited(200, form.getInputProps('title'))}
      />
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
                end="expirationDate"
                expiry={expirationDate}
                expiredHint={t('expiredHint')}
                hasPassword={link?.hasPassword ?? false}
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
            content: () => <OtherFields form={form} enabledHint={t('enabledHint')} />,
          },
        ]}
      />
    </FormFrame>
  );
}
