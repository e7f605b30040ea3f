import { Accordion, Checkbox, Fieldset, Select, SimpleGrid, TagsInput, TextInput } from '@mantine/core';
import { client } from '../../api/client';
import { Refused } from '../../api/errors';
import { FormFrame, unwrap, useApiForm } from '../../kit/form';
import { limited } from '../../kit/limited';
import { Panel } from '../../kit/panel';
import { showDone } from '../../kit/toasts';
import { common } from '../../texts/common';
import { useTexts } from '../../texts/texts';
import { AttributeFields } from './attribute-fields';
import { AD_CONSENTS, type Contact, MESSAGE_CONSENTS } from './contact';
import { isEmpty, requestOf, valuesOf } from './contact-values';
import { contactTexts } from './texts';
import { useGroups } from './use-groups';

interface Props {
  contact?: Contact;
  onClose: () => void;
}

export function ContactPanel({ contact, onClose }: Props) {
  const t = useTexts(contactTexts);
  return (
    <Panel opened title={t(contact ? 'editTitle' : 'addTitle')} onClose={onClose}>
      <ContactForm contact={contact ?? null} onDone={onClose} />
    </Panel>
  );
}

interface FormProps {
  contact: Contact | null;
  onDone: () => void;
}

function ContactForm({ contact, onDone }: FormProps) {
  const t = useTexts(contactTexts);
  const c = useTexts(common);
  const groups = useGroups();
  const edit = useApiForm({
    initialValues: valuesOf(contact),
    send: async (values) => {
      const body = requestOf(values, contact);
      if (contact) {
        const params = { path: { id: contact.id } };
        await unwrap(client.PUT('/messaging/contacts/{id}', { params, body }));
        return false;
      }
      if (isEmpty(body)) throw new Refused(t('nothingFilled'));
      const saved = await client.POST('/messaging/contacts', { body });
      await unwrap(Promise.resolve(saved));
      return saved.response.status !== 201;
    },
    done: (existed) => {
      showDone(contact ? c('saved') : t(existed ? 'existed' : 'added'));
      onDone();
    },
  });
  const { form } = edit;
  const consents = (legend: string, names: typeof MESSAGE_CONSENTS | typeof AD_CONSENTS) => (
    <Fieldset legend={legend} p="sm">
      <SimpleGrid cols={{ base: 2, xs: 3 }} spacing="xs">
        {names.map((name) => (
          <Checkbox key={name} label={t(name)} {...form.getInputProps(name, { type: 'checkbox' })} />
        ))}
      </SimpleGrid>
    </Fieldset>
  );
  return (
    <FormFrame of={edit} label={contact ? c('save') : t('add')}>
      <TextInput label={t('name')} data-autofocus {...limited(100, form.getInputProps('name'))} />
      <TextInput
        label={t('phoneNumber')}
        description={t('phoneHint')}
        type="tel"
        {...limited(20, form.getInputProps('phoneNumber'))}
      />
      <TextInput label={t('email')} type="email" {...limited(200, form.getInputProps('email'))} />
      <TextInput
        label={t('externalUserId')}
        description={t('externalUserIdHint')}
        {...limited(200, form.getInputProps('externalUserId'))}
      />
      <TagsInput label={t('tags')} {...form.getInputProps('tags')} />
      {!contact && (
        <Select
          label={t('group')}
          description={t('groupHint')}
          clearable
          clearButtonProps={{ 'aria-label': c('none') }}
          searchable
          data={groups.map(({ id, name }) => ({ value: String(id), label: name }))}
          {...form.getInputProps('groupId')}
        />
      )}
      {consents(`${t('consents')}: ${t('messages')}`, MESSAGE_CONSENTS)}
      {consents(`${t('consents')}: ${t('advertising')}`, AD_CONSENTS)}
      <AttributeFields form={form} />
      <Accordion variant="contained">
        <Accordion.Item value="more">
          <Accordion.Control>{t('more')}</Accordion.Control>
          <Accordion.Panel>
            <SimpleGrid cols={1} spacing="sm">
              <TextInput
                label={t('locale')}
                description={t('localeHint')}
                {...limited(10, form.getInputProps('locale'))}
              />
              <TextInput label={t('pushIdentify')} {...limited(500, form.getInputProps('pushIdentify'))} />
              <TextInput
                label={t('pushTokenIdx')}
                inputMode="numeric"
                {...form.getInputProps('pushTokenIdx')}
              />
            </SimpleGrid>
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </FormFrame>
  );
}
