import { ActionIcon, Alert, Button, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconEdit, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api, client, queries, type Schemas } from '../../api/client';
import { May } from '../../api/may';
import { confirm } from '../../kit/confirm';
import { Figure } from '../../kit/figure';
import { unwrap } from '../../kit/form';
import { Result } from '../../kit/loading';
import { Page } from '../../kit/page';
import { RouteLink } from '../../kit/route-link';
import { showDone, showError } from '../../kit/toasts';
import { common } from '../../texts/common';
import { formatDateTime, formatNumber } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { Conditions } from './conditions';
import { SegmentPanel } from './segment-panel';
import { SegmentState } from './segment-state';
import { segmentTexts } from './texts';

type Segment = Schemas['SegmentResponse'];

export function SegmentPage() {
  const { id } = useParams({ from: '/shell/segments/$id' });
  const segment = api.useQuery('get', '/segments/{id}', { params: { path: { id: Number(id) } } });
  return <Result of={segment}>{(shown) => <Shown segment={shown} />}</Result>;
}

function Shown({ segment }: { segment: Segment }) {
  const t = useTexts(segmentTexts);
  const [editing, panel] = useDisclosure(false);
  const { name, description, isActive, memberCount, lastEvaluatedAt, lastUsedAt, createdAt, updatedAt } =
    segment;
  const isStale = lastEvaluatedAt !== null && new Date(updatedAt) > new Date(lastEvaluatedAt);
  return (
    <Page
      title={name}
      subtitle={
        <Stack gap={4}>
          {description !== null && <Text size="sm">{description}</Text>}
          <Group gap="xs">
            <SegmentState isActive={isActive} />
          </Group>
        </Stack>
      }
      actions={<Actions segment={segment} onEdit={panel.open} />}
    >
      {isStale && <Alert color="yellow">{t('changedSince')}</Alert>}
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <Figure label={t('memberCount')} value={lastEvaluatedAt === null ? '–' : memberCount} />
        <Fact
          label={t('lastEvaluated')}
          value={lastEvaluatedAt === null ? t('notEvaluated') : formatDateTime(lastEvaluatedAt)}
        />
        <Fact label={t('used')} value={formatDateTime(lastUsedAt)} />
      </SimpleGrid>
      <Group gap="sm">
        <Text size="sm" c="dimmed">
          {t('membersNote')}
        </Text>
        <May call="listOrganizationContacts">
          <RouteLink to="/contacts" search={{ segmentId: String(segment.id) }} size="sm">
            {t('showMembers')}
          </RouteLink>
        </May>
      </Group>
      <Conditions groups={segment.conditionGroups} />
      <Text size="sm" c="dimmed">
        {t('createdAt')}: {formatDateTime(createdAt)} · {t('updatedAt')}: {formatDateTime(updatedAt)}
      </Text>
      {editing && <SegmentPanel segment={segment} onClose={panel.close} onDone={panel.close} />}
    </Page>
  );
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <Paper withBorder p="md">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fw={600} mt={4}>
        {value}
      </Text>
    </Paper>
  );
}

function Actions({ segment, onEdit }: { segment: Segment; onEdit: () => void }) {
  const t = useTexts(segmentTexts);
  const c = useTexts(common);
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const { id, name } = segment;
  const params = { path: { id } };
  const evaluate = async () => {
    setBusy(true);
    try {
      const { memberCount } = await unwrap(client.POST('/segments/{id}/evaluate', { params }));
      await queries.invalidateQueries();
      showDone(t('evaluated', { count: memberCount, formatted: formatNumber(memberCount) }));
    } catch (error) {
      showError(error);
    }
    setBusy(false);
  };
  const remove = async () => {
    const question = { title: t('deleteTitle'), text: t('deleteText'), confirm: c('delete'), name };
    if (!(await confirm(question))) return;
    await unwrap(client.DELETE('/segments/{id}', { params }));
    showDone(t('deleted'));
    await navigate({ to: '/segments' });
    await queries.invalidateQueries();
  };
  return (
    <>
      <May call="updateOrganizationSegment">
        <Button variant="default" leftSection={<IconEdit size={16} />} onClick={onEdit}>
          {c('edit')}
        </Button>
      </May>
      <May call="evaluateOrganizationSegment">
        <Button leftSection={<IconRefresh size={16} />} loading={busy} onClick={() => void evaluate()}>
          {t('evaluate')}
        </Button>
      </May>
      <May call="deleteOrganizationSegment">
        <ActionIcon
          variant="default"
          size={36}
          c="var(--mantine-color-error)"
          aria-label={c('delete')}
          onClick={() => void remove().catch(showError)}
        >
          <IconTrash size={18} />
        </ActionIcon>
      </May>
    </>
  );
}
