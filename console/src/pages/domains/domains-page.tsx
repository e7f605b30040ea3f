import { Button, Group, Select } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconSearchOff, IconWorldWww } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { api, PAGED, type Schemas } from '../../api/client';
import { May } from '../../api/may';
import { listOrganizationCustomDomains_status as STATUSES } from '../../api/values.gen';
import { type Column, DataTable } from '../../kit/data-table';
import { Empty } from '../../kit/empty';
import { Result } from '../../kit/loading';
import { Page } from '../../kit/page';
import { RouteLink } from '../../kit/route-link';
import { SearchField } from '../../kit/search-field';
import { sortedBy, useView } from '../../kit/view';
import { formatAgo, formatDate } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { AddDomain } from './add-domain';
import { DomainState } from './domain-state';
import { domainTexts } from './texts';

type Domain = Schemas['CustomDomainResponse'];
const VIEW = { search: '', status: '', sort: 'createdAt,desc' };
const ALLOWED = { sort: sortedBy('createdAt', 'domainName', 'status', 'id') };

export function DomainsPage() {
  const t = useTexts(domainTexts);
  const navigate = useNavigate();
  const [adding, panel] = useDisclosure(false);
  const [{ search, status: chosen, sort }, change] = useView(VIEW, ALLOWED);
  const status = STATUSES.find((one) => one === chosen);
  const query = { size: 50, sort, ...(search && { search }), ...(status && { status }) };
  const list = api.useInfiniteQuery('get', '/custom-domains', { params: { query } }, PAGED);
  const columns = useMemo<Column<Domain>[]>(
    () => [
      {
        key: 'name',
        title: t('name'),
        sort: 'domainName',
        cell: ({ id, domainName }) => (
          <RouteLink to="/domains/$id" params={{ id: String(id) }} size="sm" fw={600}>
            {domainName}
          </RouteLink>
        ),
      },
      {
        key: 'status',
        title: t('status'),
        sort: 'status',
        cell: (domain) => <DomainState of={domain} />,
        width: 130,
      },
      {
        key: 'checked',
        title: t('checked'),
        from: 'sm',
        cell: ({ lastCheckedAt }) => formatAgo(lastCheckedAt),
        width: 170,
      },
      { key: 'owner', title: t('owner'), from: 'md', cell: ({ ownerUsername }) => ownerUsername, width: 170 },
      {
        key: 'created',
        title: t('created'),
        from: 'md',
        sort: 'createdAt',
        cell: ({ createdAt }) => formatDate(`${createdAt}Z`),
        width: 150,
      },
    ],
    [t],
  );
  const add = (
    <May call="addOrganizationCustomDomain">
      <Button leftSection={<IconPlus size={16} />} onClick={panel.open}>
        {t('add')}
      </Button>
    </May>
  );
  const empty =
    search || status ? (
      <Empty icon={IconSearchOff} title={t('noneFound')} text={t('noneFoundText')} />
    ) : (
      <Empty icon={IconWorldWww} title={t('emptyTitle')} text={t('emptyText')} action={add} />
    );
  return (
    <Page title={t('title')} subtitle={t('subtitle')} actions={add}>
      <Group>
        <SearchField
          value={search}
          onChange={(text, step) => change({ search: text }, step)}
          label={t('search')}
        />
        <Select
          aria-label={t('status')}
          placeholder={t('anyStatus')}
          clearable
          data={STATUSES.map((value) => ({ value, label: t(value) }))}
          value={status ?? null}
          onChange={(value) => change({ status: value ?? '' })}
          w={{ base: '100%', sm: 180 }}
        />
      </Group>
      <Result of={list}>
        {() => (
          <DataTable
            label={t('title')}
            list={list}
            columns={columns}
            rowKey={({ id }) => id}
            sort={sort}
            onSort={(by) => change({ sort: by })}
            empty={empty}
          />
        )}
      </Result>
      {adding && (
        <AddDomain
          onClose={panel.close}
          onDone={({ id }) => void navigate({ to: '/domains/$id', params: { id: String(id) } })}
        />
      )}
    </Page>
  );
}
