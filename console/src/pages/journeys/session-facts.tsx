import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Schemas } from '../../api/client';
import { CopyText } from '../../kit/copy';
import { WebLink } from '../../kit/web-link';
import { deviceName } from '../../plots/names';
import { countryName, formatDateTime } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { SourceLink } from './source-link';
import { pathTexts } from './path-texts';
import { journeyTexts } from './texts';

const joined = (...parts: (string | null | undefined)[]) => parts.filter(Boolean).join(' ');

/** Known facts of a session. */
export function SessionFacts({ session }: { session: Schemas['SessionPathResponse'] }) {
  const t = useTexts(journeyTexts);
  const p = useTexts(pathTexts);
  const { sessionId, deviceInfo, click, install, country, referrer, landingUrl } = session;
  const deviceType = deviceInfo?.deviceType ?? click?.deviceType;
  const facts: [string, ReactNode][] = [
    [t('from'), <SourceLink key="from" session={session} />],
    [p('country'), country && countryName(country)],
    [
      p('device'),
      joined(install?.deviceModel ?? deviceInfo?.deviceModel, deviceType && deviceName(deviceType)),
    ],
    [p('system'), joined(deviceInfo?.os ?? click?.os, install?.osVersion ?? deviceInfo?.osVersion)],
    [p('browser'), joined(deviceInfo?.browser ?? click?.browser, deviceInfo?.browserVersion)],
    [p('language'), deviceInfo?.language],
    [p('timeZone'), session.clientTimezone],
    [p('referrer'), referrer && <WebLink href={referrer} size="sm" />],
    [p('landingPage'), landingUrl && <WebLink href={landingUrl} size="sm" />],
    ['utm_source', session.utmSource],
    ['utm_medium', session.utmMedium],
    ['utm_term', session.utmTerm],
    ['utm_content', session.utmContent],
    [p('customId'), session.customId],
    [p('variant'), click?.variant],
    [p('installed'), install && formatDateTime(install.installedAt)],
    [p('lastActivity'), formatDateTime(session.lastActivityAt)],
  ];
  return (
    <Paper withBorder p="md" component="section" aria-label={p('facts')}>
      <Title order={2} size="h5" mb="sm">
        {p('facts')}
      </Title>
      <Stack component="dl" gap={8} m={0}>
        {facts.map(
          ([name, value]) =>
            value && (
              <Group key={name} gap="xs" wrap="nowrap" align="baseline">
                <Text component="dt" size="sm" c="dimmed" w={110} style={{ flexShrink: 0 }}>
                  {name}
                </Text>
                <Text component="dd" m={0} size="sm" style={{ overflowWrap: 'anywhere', minWidth: 0 }}>
                  {value}
                </Text>
              </Group>
            ),
        )}
      </Stack>
      <Stack mt="md">
        <CopyText label={p('sessionId')} value={sessionId} />
      </Stack>
    </Paper>
  );
}
