import { IconAddressBook } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shell } from '../../app/routes';

export const contacts = createRoute({
  getParentRoute: () => shell,
  path: '/contacts',
  component: lazyRouteComponent(() => import('./contacts-page'), 'ContactsPage'),
  staticData: {
    menu: { section: 'people', label: 'contacts', icon: IconAddressBook },
    needs: 'listOrganizationContacts',
  },
});

export const contact = createRoute({
  getParentRoute: () => shell,
  path: '/contacts/$id',
  component: lazyRouteComponent(() => import('./contact-page'), 'ContactPage'),
});
