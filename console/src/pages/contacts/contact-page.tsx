import { Alert, Badge, Button, Group, SimpleGrid, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconEdit } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { api, type Schemas } from '../../api/client';
import { isApiError } from '../../api/errors';
import { useMay } from '../../api/may';
import { Result } from '../../kit/loading';
import { Page } from '../../kit/page';
import { common } from '../../texts/common';
import { useTexts } from '../../texts/texts';
import { type Contact, nameOf } from './contact';
import { ContactConsents, ContactDetails } from './contact-details';
import { ContactMenu } from './contact-menu';
import { ContactOptOuts } from './contact-opt-outs';
import { ContactPanel } from './contact-panel';
import { PersonActivity, PersonOthers } from './person';
import { contactTexts } from './texts';

type Person = Schemas['PersonExport'];

/** One person with everything; an administrator also sees a deactivated one, from the export. */
export function ContactPage() {
  const { id } = useParams({ from: '/shell/contacts/$id' });
  const params = { path: { id: Number(id) } };
  const active = api.useQuery('get', '/messaging/contacts/{id}', { params });
  const person = api.useQuery(
    'get',
    '/contacts/{id}/export',
    { params },
    { enabled: useMay('exportPerson') },
  );
  if (person.data && isApiError(active.error) && active.error.status === 404) {
    return <Shown contact={person.data.contact} person={person.data} />;
  }
  return <Result of={active}>{(contact) => <Shown contact={contact} person={person.data} />}</Result>;
}

function Shown({ contact, person }: { contact: Contact; person: Person | undefined }) {
  const t = useTexts(contactTexts);
  const c = useTexts(common);
  const [editing, panel] = useDisclosure(false);
  const isActive = contact.status === 'ACTIVE';
  const actions = (
    <>
      {isActive && (
        <Button variant="default" leftSection={<IconEdit size={16} />} onClick={panel.open}>
          {c('edit')}
        </Button>
      )}
      <ContactMenu contact={contact} />
    </>
  );
  return (
    <Page
      title={nameOf(contact)}
      {...((contact.blocked || !isActive) && {
        subtitle: (
          <Group gap="xs" mt={4}>
            {contact.blocked && <Badge color="red.8">{t('blocked')}</Badge>}
            {!isActive && <Badge color="gray.7">{t('deactivated')}</Badge>}
          </Group>
        ),
      })}
      actions={actions}
    >
      {!isActive && <Alert color="yellow">{t('deactivatedText')}</Alert>}
      {contact.blocked && <Alert color="red">{t('blockedText')}</Alert>}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <ContactDetails contact={contact} />
        <Stack gap="lg">
          <ContactConsents contact={contact} />
          <ContactOptOuts contact={contact} />
          {person && <PersonActivity person={person} />}
          {person && <PersonOthers person={person} />}
        </Stack>
      </SimpleGrid>
      {editing && <ContactPanel contact={contact} onClose={panel.close} />}
    </Page>
  );
}
