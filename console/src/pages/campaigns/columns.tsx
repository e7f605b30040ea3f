import { Menu, Text } from '@mantine/core';
import { IconChartBar, IconPencil } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { May } from '../../api/may';
import { ActionsMenu } from '../../kit/actions-menu';
import { useConversionColumns } from '../../kit/conversion-columns';
import type { Column } from '../../kit/data-table';
import { RouteLink } from '../../kit/route-link';
import { RowName } from '../../kit/row-name';
import type { Conversions } from '../../kit/use-conversions';
import { common } from '../../texts/common';
import { formatAgo, formatDate, formatDateTime, formatNumber } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import type { Campaign } from './campaign';
import { switchCampaign } from './change-campaign';
import { StateBadge } from '../links/state-badge';
import { SwitchItems } from '../links/switch-items';
import { campaignTexts } from './texts';

const keyOf = ({ id }: Campaign) => String(id);

export function useCampaignColumns(edit: (id: number) => void, conversions: Conversions): Column<Campaign>[] {
  const besideClicks = useConversionColumns(conversions, keyOf);
  const t = useTexts(campaignTexts);
  const c = useTexts(common);
  return useMemo(
    () => [
      {
        key: 'name',
        title: t('campaign'),
        sort: 'name',
        grows: true,
        cell: (campaign) => <Name campaign={campaign} />,
      },
      {
        key: 'state',
        title: t('state'),
        from: 'sm',
        width: 130,
        cell: (campaign) => <StateBadge of={campaign} />,
      },
      {
        key: 'clicks',
        title: t('clicks'),
        sort: 'clickCount',
        align: 'right',
        width: 110,
        cell: ({ clickCount }) => (
          <Text size="sm" className="numbers">
            {formatNumber(clickCount)}
          </Text>
        ),
      },
      ...besideClicks,
      {
        key: 'created',
        title: t('created'),
        sort: 'createdAt',
        from: 'md',
        width: 140,
        cell: ({ createdAt }) => <Time of={createdAt} shown={formatAgo(createdAt)} />,
      },
      {
        key: 'updated',
        title: t('updated'),
        sort: 'updatedAt',
        from: besideClicks.length > 0 ? 'xl' : 'lg',
        width: 140,
        cell: ({ updatedAt }) => <Time of={updatedAt} shown={formatAgo(updatedAt)} />,
      },
      {
        key: 'expires',
        title: t('expires'),
        sort: 'expiresAt',
        from: 'lg',
        width: 130,
        cell: ({ expiresAt }) => <Time of={expiresAt} shown={formatDate(expiresAt)} />,
      },
      {
        key: 'menu',
        title: c('actions'),
        titleHidden: true,
        align: 'right',
        width: 60,
        cell: (campaign) => <RowMenu campaign={campaign} edit={edit} />,
      },
    ],
    [t, c, edit, besideClicks],
  );
}

function Time({ of, shown }: { of: string | null; shown: string }) {
  return (
    <Text size="sm" title={formatDateTime(of)}>
      {shown}
    </Text>
  );
}

function Name({ campaign: { id, name, link, originalUrl } }: { campaign: Campaign }) {
  return (
    <RowName name={name} link={link} destination={originalUrl}>
      <RouteLink to="/campaigns/$id" params={{ id: String(id) }} fw={600} size="sm">
        {name}
      </RouteLink>
    </RowName>
  );
}

function RowMenu({ campaign, edit }: { campaign: Campaign; edit: (id: number) => void }) {
  const t = useTexts(campaignTexts);
  const c = useTexts(common);
  const navigate = useNavigate();
  const { id, name } = campaign;
  return (
    <ActionsMenu label={t('actionsOf', { name })} inRow>
      <Menu.Item
        leftSection={<IconChartBar size={16} />}
        onClick={() => void navigate({ to: '/campaigns/$id', params: { id: String(id) } })}
      >
        {t('statistics')}
      </Menu.Item>
      <May call="updateOrganizationCampaign">
        <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => edit(id)}>
          {c('edit')}
        </Menu.Item>
        <SwitchItems of={campaign} change={(change) => switchCampaign(campaign, change)} />
      </May>
    </ActionsMenu>
  );
}
