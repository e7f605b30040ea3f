import { client, queries, type Schemas } from '../../api/client';
import { unwrap } from '../../kit/form';
import { showDone, showError } from '../../kit/toasts';
import { textOf } from '../../texts/texts';
import type { Campaign } from './campaign';
import { campaignTexts } from './texts';

type Switch = { readonly enabled: boolean } | { readonly archived: boolean };

export function sendChange(id: number, body: Schemas['UpdateCampaignRequest']): Promise<Campaign> {
  return unwrap(client.PUT('/campaigns/{id}', { params: { path: { id } }, body }));
}

/** Enables, disables, archives or restores a campaign, with an offer to undo it. */
export async function switchCampaign({ id }: Pick<Campaign, 'id'>, to: Switch): Promise<void> {
  const [message, inverse] =
    'enabled' in to
      ? ([to.enabled ? 'wasEnabled' : 'wasDisabled', { enabled: !to.enabled }] as const)
      : ([to.archived ? 'wasArchived' : 'wasRestored', { archived: !to.archived }] as const);
  try {
    await sendChange(id, to);
    await queries.invalidateQueries();
    showDone(textOf(campaignTexts, message), () => void switchCampaign({ id }, inverse));
  } catch (error) {
    showError(error);
  }
}
