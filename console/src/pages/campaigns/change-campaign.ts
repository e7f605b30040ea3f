import { client, queries, type Schemas } from '../../api/client';
import { unwrap } from '../../kit/form';
import { showDone, showError } from '../../kit/toasts';
import { textOf } from '../../texts/texts';
import type { Campaign } from './campaign';
import { campaignTexts } from './texts';

type Switch = 'enabled' | 'archived';

const MESSAGES = {
  enabled: { true: 'wasEnabled', false: 'wasDisabled' },
  archived: { true: 'wasArchived', false: 'wasRestored' },
} as const;

export function sendChange(id: number, body: Schemas['UpdateCampaignRequest']): Promise<Campaign> {
  return unwrap(client.PUT('/campaigns/{id}', { params: { path: { id } }, body }));
}

/** Switches a campaign on or off, or puts it into the archive or takes it out, and offers to undo that. */
export async function switchCampaign({ id }: Pick<Campaign, 'id'>, name: Switch, on: boolean): Promise<void> {
  try {
    await sendChange(id, { [name]: on });
    await queries.invalidateQueries();
    showDone(textOf(campaignTexts, MESSAGES[name][`${on}`]), () => void switchCampaign({ id }, name, !on));
  } catch (error) {
    showError(error);
  }
}
