import type { Caller } from '../access/caller';
import { toRequest } from '../common/validation/to-request';
import { CreateWebhookRequest } from '../modules/webhooks/console/webhook-endpoints.dto';
import { WebhookEndpointsService } from '../modules/webhooks/console/webhook-endpoints.service';
import type { Demo } from './demo';

const ALL = { page: 0, size: 50 };

/**
 * Nothing answers at these names: the deliveries of the first one fail, and the console shows how. The second one is
 * switched off. Clicks are left out, because hundreds of thousands of them would wait for a receiver.
 */
const WEBHOOKS = [
  {
    url: 'https://hooks.demo-shop.example/waypost',
    events: ['goal.completed', 'contact.opt_out', 'link.created'],
  },
  { url: 'https://warehouse.demo-shop.example/sessions', events: ['session.*'], enabled: false },
];
const LAST = WEBHOOKS[WEBHOOKS.length - 1]?.url;

/** Created last, so that what the filling does is not delivered. */
export async function fillWebhooks({ caller, get }: Demo): Promise<void> {
  const endpoints = get(WebhookEndpointsService);
  const [known] = await endpoints.list(caller, ALL);
  for (const fields of WEBHOOKS) {
    if (known.some(({ url }) => url === fields.url)) continue;
    await endpoints.create(caller, toRequest(CreateWebhookRequest, fields));
  }
}

/** Whether an earlier run has got to the end. */
export async function isFilled(endpoints: WebhookEndpointsService, caller: Caller): Promise<boolean> {
  const [known] = await endpoints.list(caller, ALL);
  return known.some(({ url }) => url === LAST);
}
