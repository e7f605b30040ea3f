import { Accordion, Badge, Group, TagsInput, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { type ApiForm, FormFrame } from '../../../kit/form';
import { common } from '../../../texts/common';
import { useTexts } from '../../../texts/texts';
import type { Link } from '../link';
import { useTagNames } from '../tag-names';
import { AliasField } from './alias-field';
import { AppFields } from './app-fields';
import { CardFields } from './card-fields';
import { DestinationFields } from './destination-fields';
import { errorOf, errorsOf } from './errors';
import { LifeFields } from './life-fields';
import { OtherFields } from './other-fields';
import { formTexts } from './texts';
import { UtmFields } from './utm-fields';
import type { LinkValues } from './values';

export interface FieldsProps {
  of: ApiForm<LinkValues>;
  /** The link that is edited. */
  link?: Link;
}

interface Section {
  readonly key: 'utm' | 'card' | 'life' | 'destinations' | 'apps' | 'other';
  readonly fields: readonly (keyof LinkValues)[];
  readonly content: (props: FieldsProps) => ReactNode;
}

const SECTIONS: readonly Section[] = [
  {
    key: 'utm',
    fields: ['utmSource', 'utmMedium', 'utmCampaign', 'utmTerm', 'utmContent'],
    content: UtmFields,
  },
  { key: 'card', fields: ['ogTitle', 'ogDescription', 'ogImageUrl'], content: CardFields },
  {
    key: 'life',
    fields: [
      'startsAt',
      'notStartedUrl',
      'expirationDate',
      'expiredUrl',
      'maxClicks',
      'password',
      'removePassword',
    ],
    content: LifeFields,
  },
  { key: 'destinations', fields: ['targeting', 'variants'], content: DestinationFields },
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

/** Every field of a link: those that all links have, then the others in sections. */
export function LinkForm({ of, link }: FieldsProps) {
  const t = useTexts(formTexts);
  const c = useTexts(common);
  const { form } = of;
  const tags = useTagNames();
  const [opened, setOpened] = useState<string[]>([]);
  const { errors } = form;
  const [known, setKnown] = useState(errors);
  if (errors !== known) {
    setKnown(errors);
    // An error must not stay out of sight.
    const wrong = SECTIONS.filter(({ fields }) => errorsOf(errors, fields).length > 0).map(({ key }) => key);
    if (wrong.length > 0) setOpened([...new Set([...opened, ...wrong])]);
  }
  const props = { of, ...(link && { link }) };
  return (
    <FormFrame of={of} label={link ? c('save') : t('create')}>
      <TextInput
        type="url"
        label={t('url')}
        placeholder="https://"
        required
        data-autofocus
        autoComplete="off"
        maxLength={1000}
        {...form.getInputProps('url')}
      />
      <AliasField {...props} />
      <TextInput label={t('title')} maxLength={200} {...form.getInputProps('title')} />
      <TagsInput
        label={t('tags')}
        description={t('tagsHint')}
        data={tags}
        maxTags={20}
        clearable
        {...form.getInputProps('tags')}
        error={errorOf(form, 'tags')}
      />
      <Accordion
        multiple
        variant="separated"
        value={opened}
        onChange={setOpened}
        order={3}
        styles={{ label: { paddingBlock: 10 } }}
      >
        {SECTIONS.map(({ key, fields, content: Content }) => {
          const set = fields.filter((field) => isSet(form.getValues()[field])).length;
          return (
            <Accordion.Item key={key} value={key}>
              <Accordion.Control>
                <Group gap="xs" justify="space-between" wrap="nowrap">
                  {t(key)}
                  {set > 0 && key !== 'other' && (
                    <Badge size="sm" variant="default">
                      {t('fieldsSet', { count: set })}
                    </Badge>
                  )}
                </Group>
              </Accordion.Control>
              <Accordion.Panel>{opened.includes(key) && <Content {...props} />}</Accordion.Panel>
            </Accordion.Item>
          );
        })}
      </Accordion>
    </FormFrame>
  );
}

function isSet(value: LinkValues[keyof LinkValues]): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== '' && value !== false;
}
