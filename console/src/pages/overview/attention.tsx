import { Badge, Group, Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { api, type Schemas } from '../../api/client';
import { WARNING } from '../../kit/colors';
import { Result } from '../../kit/loading';
import { RouteLink } from '../../kit/route-link';
import { formatAgo, formatDate, formatNumber } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { overviewTexts } from './texts';

type Item = Schemas['AttentionItem'];
type Example = Schemas['AttentionExample'];
type Text_ = NonNullable<(typeof overviewTexts)['key']>;

const REFRESH_MS = 60_000;

interface Target {
  readonly to: string;
  readonly params?: Record<string, string>;
  readonly search?: Record<string, string>;
}

/** Pages with all concerns of a kind, and with a single one. */
const TARGETS: Record<Item['kind'], { readonly all: Target; readonly one: (id: string) => Target }> = {
  CUSTOM_DOMAINS: { all: { to: '/domains' }, one: (id) => ({ to: '/domains/$id', params: { id } }) },
  UNHEALTHY_LINKS: {
    all: { to: '/links', search: { health: 'unhealthy' } },
    one: (id) => ({ to: '/links/$id', params: { id } }),
  },
  UNHEALTHY_CAMPAIGNS: {
    all: { to: '/campaigns', search: { health: 'unhealthy' } },
    one: (id) => ({ to: '/campaigns/$id', params: { id } }),
  },
  WEBHOOKS: { all: { to: '/webhooks' }, one: (id) => ({ to: '/webhooks/$id', params: { id } }) },
  WEBHOOK_BACKLOG: {
    all: { to: '/webhooks' },
    one: (id) => ({ to: '/webhooks/$id', params: { id }, search: { status: 'PENDING' } }),
  },
  EXPIRING_API_KEYS: {
    all: { to: '/settings', search: { tab: 'keys' } },
    one: () => ({ to: '/settings', search: { tab: 'keys' } }),
  },
};

/** What needs attention, with links to it. */
export function Attention() {
  const t = useTexts(overviewTexts);
  const attention = api.useQuery('get', '/attention', {}, { refetchInterval: REFRESH_MS });
  return (
    <Paper withBorder p="md" component="section" aria-label={t('attention')}>
      <Title order={2} size="h5" mb="sm">
        {t('attention')}
      </Title>
      <Result of={attention} lines={2}>
        {({ items }) =>
          items.length === 0 ? (
            <Group gap="xs" wrap="nowrap">
              <ThemeIcon variant="light" color="teal" radius="xl">
                <IconCircleCheck size={18} />
              </ThemeIcon>
              <Text size="sm">{t('allWell')}</Text>
            </Group>
          ) : (
            <Stack gap="md">
              {items.map((item) => (
                <Kind key={item.kind} item={item} />
              ))}
            </Stack>
          )
        }
      </Result>
    </Paper>
  );
}

function Kind({ item: { kind, count, examples } }: { item: Item }) {
  const t = useTexts(overviewTexts);
  const { all, one } = TARGETS[kind];
  return (
    <div>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <ThemeIcon variant="light" color="orange" radius="xl" size={24}>
          <IconAlertTriangle size={15} />
        </ThemeIcon>
        <Text size="sm" fw={600} flex={1}>
          {t(kind)}
        </Text>
        <Badge color={WARNING} className="numbers">
          {formatNumber(count)}
        </Badge>
      </Group>
      <Stack component="ul" gap={4} m={0} pl={32} mt={4} style={{ listStyle: 'none' }}>
        {examples.map((example) => (
          <li key={example.id}>
            <RouteLink {...one(String(example.id))} size="sm">
              {example.name}
            </RouteLink>
            <Text size="xs" c="dimmed">
              <Reason example={example} />
            </Text>
          </li>
        ))}
        {count > examples.length && (
          <li>
            <RouteLink {...all} size="sm" aria-label={`${t('showAll')}: ${t(kind)}`}>
              {t('showAll')}
            </RouteLink>
          </li>
        )}
      </Stack>
    </div>
  );
}

function Reason({ example: { reason, since, expiresAt } }: { example: Example }) {
  const t = useTexts(overviewTexts);
  return [
    reason === null ? null : t(reason as Text_),
    since === null ? null : t('since', { when: formatAgo(since) }),
    expiresAt === null ? null : t('expires', { when: formatDate(expiresAt) }),
  ]
    .filter((part) => part !== null)
    .join(' · ');
}
