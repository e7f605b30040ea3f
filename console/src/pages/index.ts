import { invitation } from './invitation/page';
import { journey, journeys } from './journeys/page';
import { overview } from './overview/page';
import { settings } from './settings/page';
import { signedIn, signIn } from './sign-in/page';
import { webhook, webhooks } from './webhooks/page';

/** Pages for signed-in users; those with a place in the menu stand there in this order. */
export const pages = [overview, journeys, journey, webhooks, webhook, settings] as const;

/** Pages without the frame. */
export const ownRoutes = [signIn, signedIn, invitation] as const;
