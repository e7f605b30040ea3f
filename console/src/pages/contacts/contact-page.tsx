import { Alert, Badge, Button, Group, SimpleGrid, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconEdit } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api } from '../../api/client';
import { isApiError } from '../../api/errors';
import { useMay } from '../../api/may';
import { Problem, Result } from '../../kit/loading';
import { Page } from '../../kit/page';
import { common } from '../../texts/common';
import { useTexts } from '../../texts/texts';
import { type Contact, nameOf } from './contact';
import { ContactConsents, ContactDetails } from './contact-details';
import { ContactMenu } from './contact-menu';
import { ContactOptOuts } from './contact-opt-outs';
import { ContactPanel } from './contact-panel';
import { AskStored, PersonActivity, PersonOthers } from './person';
import { contactTexts } from './texts';

export function ContactPage() {
  const { id } = useParams({ from: '/shell/contacts/$id' });
  return <OnePerson key={id} id={Number(id)} />;
}

/** A contact. Administrators can also request everything stored, which is all that is left of a deactivated contact. */
function OnePerson({ id }: { id: number }) {
  const params = { path: { id } };
  const mayAsk = useMay('exportOrganizationPerson');
  const [asked, { open }] = useDisclosure(false);
  const active = api.useQuery('get', '/messaging/contacts/{id}', { params });
  // Never refetched, because every call leaves an audit entry.
  const options = { enabled: asked, staleTime: Infinity, gcTime: 0 };
  const person = api.useQuery('get', '/messaging/contacts/{id}/export', { params }, options);
  const isGone = isApiError(active.error) && active.error.status === 404;
  const stored = asked ? (
    <Result of={person}>
      {(all) => (
        <>
          <PersonActivity person={all} />
          <PersonOthers person={all} />
        </>
      )}
    </Result>
  ) : (
    mayAsk && <AskStored onAsk={open} />
  );
  if (isGone && asked) {
    return <Result of={person}>{({ contact }) => <Shown contact={contact} stored={stored} />}</Result>;
  }
  if (isGone && mayAsk) {
    return (
      <Stack>
        <Problem error={active.error} />
        {stored}
      </Stack>
    );
  }
  return <Result of={active}>{(contact) => <Shown contact={contact} stored={stored} />}</Result>;
}

function Shown({ contact, stored }: { contact: Contact; stored: ReactNode }) {
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
          {stored}
        </Stack>
      </SimpleGrid>
      {editing && <ContactPanel contact={contact} onClose={panel.close} />}
    </Page>
  );
}
