import { Badge, Group, Stack, Table, Text } from '@mantine/core';
import { IconCheck, IconMinus } from '@tabler/icons-react';
import { Copy } from '../../kit/copy';
import { RouteLink } from '../../kit/route-link';
import { formatDateTime } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { AD_CONSENTS, type Contact, MESSAGE_CONSENTS } from './contact';
import { Section } from './section';
import { contactTexts } from './texts';
import { useGroups } from './use-groups';

export function ContactDetails({ contact }: { contact: Contact }) {
  const t = useTexts(contactTexts);
  const attributes = Object.entries(contact.customFields);
  const { pushTokenIdx } = contact;
  return (
    <Stack gap="lg">
      <Section title={t('details')}>
        <Facts
          label={t('details')}
          facts={[
            { key: t('name'), value: contact.name, copied: true },
            { key: t('phoneNumber'), value: contact.phoneNumber, copied: true },
            { key: t('email'), value: contact.email, copied: true },
            { key: t('externalUserId'), value: contact.externalUserId, copied: true },
            { key: t('locale'), value: contact.locale },
            { key: t('pushIdentify'), value: contact.pushIdentify, copied: true },
            { key: t('pushTokenIdx'), value: pushTokenIdx === null ? null : String(pushTokenIdx) },
            { key: t('origin'), value: t(contact.origin) },
            { key: t('created'), value: formatDateTime(contact.createdAt) },
            { key: t('updated'), value: formatDateTime(contact.updatedAt) },
          ]}
        />
      </Section>
      <Section title={t('customFields')}>
        {attributes.length === 0 ? (
          <Text size="sm">{t('noAttributes')}</Text>
        ) : (
          <Facts label={t('customFields')} facts={attributes.map(([key, value]) => ({ key, value }))} />
        )}
      </Section>
      <Section title={t('groups')}>
        <Groups ids={contact.groupIds} />
      </Section>
      <Section title={t('tags')}>
        {contact.tags.length === 0 && <Text size="sm">{t('noTags')}</Text>}
        <Group gap={6}>
          {contact.tags.map((tag) => (
            <RouteLink key={tag} to="/contacts" search={{ tag }} size="sm">
              {tag}
            </RouteLink>
          ))}
        </Group>
      </Section>
    </Stack>
  );
}

export function ContactConsents({ contact }: { contact: Contact }) {
  const t = useTexts(contactTexts);
  return (
    <Section title={t('consents')}>
      <Consents title={t('messages')} names={MESSAGE_CONSENTS} contact={contact} />
      <Consents title={t('advertising')} names={AD_CONSENTS} contact={contact} />
    </Section>
  );
}

interface Fact {
  key: string;
  /** Whether it has a button that copies it. */
  copied?: boolean;
  value: string | null;
}

function Facts({ label, facts }: { label: string; facts: readonly Fact[] }) {
  return (
    <Table aria-label={label} layout="fixed" withRowBorders={false} verticalSpacing={3}>
      <Table.Tbody>
        {facts.map(({ key, value, copied }) => (
          <Table.Tr key={key}>
            <Table.Th w="38%" fw={400} c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {key}
            </Table.Th>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              {value === null ? (
                '–'
              ) : (
                <Group gap={2} wrap="nowrap">
                  <span style={{ minWidth: 0 }}>{value}</span>
                  {copied && <Copy value={value} name={key} />}
                </Group>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Groups({ ids }: { ids: readonly number[] }) {
  const t = useTexts(contactTexts);
  const groups = useGroups();
  if (ids.length === 0) return <Text size="sm">{t('noGroups')}</Text>;
  return (
    <Group gap="sm">
      {ids.map((id) => (
        <RouteLink key={id} to="/contacts" search={{ groupId: String(id) }} size="sm">
          {groups.find((group) => group.id === id)?.name ?? `#${id}`}
        </RouteLink>
      ))}
    </Group>
  );
}

interface ConsentsProps {
  title: string;
  names: typeof MESSAGE_CONSENTS | typeof AD_CONSENTS;
  contact: Contact;
}

function Consents({ title, names, contact }: ConsentsProps) {
  const t = useTexts(contactTexts);
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <Group gap={6}>
        {names.map((name) => {
          const given = contact[name];
          const Icon = given ? IconCheck : IconMinus;
          return (
            <Badge
              key={name}
              variant={given ? 'filled' : 'default'}
              color="teal.9"
              fw={500}
              leftSection={<Icon size={12} aria-hidden />}
              aria-label={`${t(name)}: ${t(given ? 'given' : 'notGiven')}`}
              role="img"
            >
              {t(name)}
            </Badge>
          );
        })}
      </Group>
    </Stack>
  );
}
