import { Badge, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Schemas } from '../../api/client';
import { RouteLink } from '../../kit/route-link';
import { WebLink } from '../../kit/web-link';
import { countryName, languageName, weekdayName } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { ruleTexts } from '../links/rule-texts';
import { WEEKDAYS } from '../links/rule-sentence';
import { useTargets } from '../links/use-targets';
import { testerTexts } from './texts';

/** Result of a trace: status, reason and destination. */
export function TraceResult({ trace }: { trace: Schemas['TraceResponse'] }) {
  const t = useTexts(testerTexts);
  const r = useTexts(ruleTexts);
  const { status, reason, location, rule, link } = trace;
  const of = {
    urlId: null,
    campaignId: null,
    ...(link && { [link.kind === 'link' ? 'urlId' : 'campaignId']: link.id }),
  };
  const target = useTargets(link ? [of] : [])(of);
  const name = target?.name ?? '…';
  return (
    <Paper withBorder p={{ base: 'sm', sm: 'md' }} role="status">
      <Stack>
        <Group gap="sm">
          <Title order={2} size="h5">
            {t('resultTitle')}
          </Title>
          <Badge size="lg" color={status < 400 ? 'teal.9' : 'red.8'}>
            {status}
          </Badge>
        </Group>
        <Text>{t(reason)}</Text>
        {location !== null && (
          <Fact label={t('location')}>
            <WebLink href={location}>{location}</WebLink>
          </Fact>
        )}
        {rule && <Fact label={t('rule')}>{t(rule.kind, { name, number: (rule.index ?? 0) + 1 })}</Fact>}
        {rule && rule.skipped.length > 0 && (
          <Fact label={t('skipped')}>
            {rule.skipped.map(({ property, value }, index) => (
              <div key={index}>
                {t('unmet', {
                  number: index + 1,
                  property: r(property),
                  value: seen(property, value) ?? t('unknown'),
                })}
              </div>
            ))}
          </Fact>
        )}
        {link && (
          <Fact label={t('belongsTo')}>
            <RouteLink
              to={link.kind === 'link' ? '/links/$id' : '/campaigns/$id'}
              params={{ id: String(link.id) }}
            >
              {name}
            </RouteLink>
            {target && target.address !== name && (
              <Text size="sm" c="dimmed">
                {target.address}
              </Text>
            )}
          </Fact>
        )}
      </Stack>
    </Paper>
  );
}

/** What a visitor has of a property, in the console's language. */
function seen(property: string, value: string | null): string | null {
  if (value === null || value === 'Unknown') return null;
  if (property === 'country') return countryName(value);
  if (property === 'language') return languageName(value);
  return property === 'weekday' ? weekdayName(WEEKDAYS.indexOf(value)) : value;
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text component="div" style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </div>
  );
}
