import { Badge, Group, Paper, SimpleGrid, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconApps, IconCheck, IconLink, IconWebhook, IconWorld, type Icon } from '@tabler/icons-react';
import { api } from '../../api/client';
import { useMay } from '../../api/may';
import { RouteButton } from '../../kit/route-link';
import { useTexts } from '../../texts/texts';
import { overviewTexts } from './texts';

const ONE = { params: { query: { size: 1 } } };

/** First steps for a new organization. @param clicked whether it has clicks, in which case nothing is shown */
export function FirstSteps({ clicked }: { clicked: boolean }) {
  return clicked ? null : <Steps />;
}

interface Step {
  readonly key: 'stepLink' | 'stepDomain' | 'stepApp' | 'stepWebhook';
  readonly icon: Icon;
  readonly to: string;
  readonly search?: Record<string, string>;
  readonly may: boolean;
  readonly count: number | undefined;
}

function Steps() {
  const t = useTexts(overviewTexts);
  const mayMakeLinks = useMay('createOrganizationShortUrl');
  const mayAddDomains = useMay('addOrganizationCustomDomain');
  const mayAddApps = useMay('createOrganizationApp');
  const mayAddWebhooks = useMay('createOrganizationWebhook');
  const links = api.useQuery('get', '/urls', ONE);
  const domains = api.useQuery('get', '/custom-domains', ONE);
  const apps = api.useQuery('get', '/mobile-apps', ONE);
  const webhooks = api.useQuery('get', '/webhooks', ONE, { enabled: mayAddWebhooks });
  const steps: Step[] = [
    {
      key: 'stepLink',
      icon: IconLink,
      to: '/links',
      search: { new: '1' },
      may: mayMakeLinks,
      count: links.data?.totalElements,
    },
    {
      key: 'stepDomain',
      icon: IconWorld,
      to: '/domains',
      may: mayAddDomains,
      count: domains.data?.totalElements,
    },
    { key: 'stepApp', icon: IconApps, to: '/apps', may: mayAddApps, count: apps.data?.totalElements },
    {
      key: 'stepWebhook',
      icon: IconWebhook,
      to: '/webhooks',
      may: mayAddWebhooks,
      count: webhooks.data?.totalElements,
    },
  ];
  const own = steps.filter(({ may, count }) => may && count !== undefined);
  const done = own.filter(({ count = 0 }) => count > 0).length;
  if (own.length === 0 || done === own.length) return null;
  return (
    <Paper withBorder p="md" component="section" aria-label={t('steps')}>
      <Group justify="space-between" mb="sm">
        <div>
          <Title order={2} size="h4">
            {t('steps')}
          </Title>
          <Text c="dimmed" size="sm">
            {t('stepsText')}
          </Text>
        </div>
        <Text size="sm" c="dimmed" className="numbers">
          {t('stepsDone', { done, all: own.length })}
        </Text>
      </Group>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: own.length }}>
        {own.map((step) => (
          <StepCard key={step.key} step={step} />
        ))}
      </SimpleGrid>
    </Paper>
  );
}

function StepCard({ step: { key, icon: StepIcon, to, search, count = 0 } }: { step: Step }) {
  const t = useTexts(overviewTexts);
  return (
    <Paper withBorder p="md">
      <Stack gap="xs" h="100%">
        <Group gap="sm" wrap="nowrap">
          <ThemeIcon variant="light" size={36} radius="xl" color={count > 0 ? 'teal' : undefined}>
            {count > 0 ? <IconCheck size={20} /> : <StepIcon size={20} />}
          </ThemeIcon>
          <Text fw={600}>{t(key)}</Text>
        </Group>
        <Text size="sm" c="dimmed" flex={1}>
          {t(`${key}Text`)}
        </Text>
        {count > 0 ? (
          <Badge color="teal.9">{t('stepDone')}</Badge>
        ) : (
          <RouteButton
            to={to}
            {...(search && { search })}
            variant={key === 'stepLink' ? 'filled' : 'default'}
          >
            {t(key)}
          </RouteButton>
        )}
      </Stack>
    </Paper>
  );
}
