import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, client, queries, type Schemas } from '../../api/client';
import { unwrap, useApiForm } from '../../kit/form';
import { Result } from '../../kit/loading';
import { FormPanel, type FormPanelProps } from '../../kit/form-panel';
import { showDone, showError } from '../../kit/toasts';
import { common } from '../../texts/common';
import { useTexts } from '../../texts/texts';
import type { Campaign } from './campaign';
import { CampaignForm } from './form/campaign-form';
import { changeOf, creationOf, valuesOf } from './form/values';
import { campaignTexts } from './texts';
import { linkTexts } from '../links/texts';

function sendChange(id: number, body: Schemas['UpdateCampaignRequest']): Promise<Campaign> {
  return unwrap(client.PUT('/campaigns/{id}', { params: { path: { id } }, body }));
}

export function CampaignPanel({ shown, onClose }: { shown: number | 'new' | null; onClose: () => void }) {
  const t = useTexts(campaignTexts);
  const l = useTexts(linkTexts);
  return (
    <FormPanel
      shown={shown}
      calls={{ create: 'createOrganizationCampaign', edit: 'updateOrganizationCampaign' }}
      titles={{ create: l('create', { context: 'campaign' }), edit: t('editTitle') }}
      onClose={onClose}
      create={() => <NewCampaign />}
      edit={(id, props) => <ExistingCampaign id={id} {...props} />}
    />
  );
}

function NewCampaign() {
  const t = useTexts(campaignTexts);
  const navigate = useNavigate();
  const creation = useApiForm({
    initialValues: valuesOf(null),
    send: (values) => unwrap(client.POST('/campaigns', { body: creationOf(values) })),
    done: ({ id }) => {
      showDone(t('wasCreated'));
      void navigate({ to: '/campaigns/$id', params: { id: String(id) } });
    },
  });
  return <CampaignForm of={creation} campaign={null} />;
}

function ExistingCampaign({ id, ...props }: FormPanelProps & { id: number }) {
  const campaign = api.useQuery(
    'get',
    '/campaigns/{id}',
    { params: { path: { id } } },
    { staleTime: Infinity },
  );
  return (
    <Result of={campaign}>{(data) => <EditedCampaign key={data.id} campaign={data} {...props} />}</Result>
  );
}

function EditedCampaign({ campaign, onClose }: FormPanelProps & { campaign: Campaign }) {
  const c = useTexts(common);
  const [before] = useState(() => valuesOf(campaign));
  const { id } = campaign;
  const edit = useApiForm({
    initialValues: before,
    send: async (values) => {
      await sendChange(id, changeOf(before, values));
      return values;
    },
    done: (after) => {
      onClose();
      // A change of alias cannot be undone exactly: the new one would remain as a former alias.
      const undoable = changeOf(before, after).alias === undefined;
      showDone(c('saved'), undoable ? undo(after) : undefined);
    },
  });
  const undo = (after: typeof before) => () => {
    sendChange(id, changeOf(after, before))
      .then(() => queries.invalidateQueries())
      .catch(showError);
  };
  return <CampaignForm of={edit} campaign={campaign} />;
}
