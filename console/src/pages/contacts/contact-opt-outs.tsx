import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useMay } from '../../api/may';
import { showError } from '../../kit/toasts';
import { useTexts } from '../../texts/texts';
import { registerOptOut, removeOptOut } from '../opt-outs/changes';
import type { Contact } from './contact';
import { Section } from './section';
import { contactTexts } from './texts';

const CHANNELS = [
  { key: 'sms', channel: 'SMS', field: 'phoneNumber' },
  { key: 'email', channel: 'EMAIL', field: 'email' },
  { key: 'whatsapp', channel: 'WHATSAPP', field: 'phoneNumber' },
] as const;

/** Whether the person is on the opt-out list of each channel. */
export function ContactOptOuts({ contact }: { contact: Contact }) {
  const t = useTexts(contactTexts);
  const mayChange = useMay('registerOrganizationUnsubscribe');
  return (
    <Section title={t('optOuts')}>
      <Stack gap="xs">
        {CHANNELS.map(({ key, channel, field }) => {
          const value = contact[field];
          const isOut = contact.optedOut[key];
          const act = isOut ? removeOptOut : registerOptOut;
          return (
            <Group key={key} justify="space-between" wrap="nowrap">
              <div style={{ minWidth: 0 }}>
                <Text size="sm" fw={500}>
                  {t(key)}
                </Text>
                <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                  {value ?? t('noAddress')}
                </Text>
              </div>
              {value !== null && (
                <Group gap="xs" wrap="nowrap" style={{ flexShrink: 0 }}>
                  {isOut ? (
                    <Badge color="red.8">{t('optedOut')}</Badge>
                  ) : (
                    <Text size="sm" c="dimmed" visibleFrom="xs">
                      {t('notOptedOut')}
                    </Text>
                  )}
                  {mayChange && (
                    <Button
                      size="compact-sm"
                      variant="default"
                      aria-label={t(isOut ? 'removeOptOutNamed' : 'optOutNamed', { channel: t(key) })}
                      onClick={() => void act({ channel, value }).catch(showError)}
                    >
                      {t(isOut ? 'removeOptOut' : 'optOut')}
                    </Button>
                  )}
                </Group>
              )}
            </Group>
          );
        })}
      </Stack>
    </Section>
  );
}
