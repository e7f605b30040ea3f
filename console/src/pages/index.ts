import { campaign, campaigns } from './campaigns/page';
import { invitation } from './invitation/page';
import { link } from './link/page';
import { links } from './links/page';
import { overview } from './overview/page';
import { settings } from './settings/page';
import { signedIn, signIn } from './sign-in/page';
import { webhook, webhooks } from './webhooks/page';

/** Pages for signed-in users; those with a place in the menu stand there in this order. */
export const pages = [overview, links, link, campaigns, campaign, webhooks, webhook, settings] as const;

/** Pages without the frame. */
export const ownRoutes = [signIn, signedIn, invitation] as const;
