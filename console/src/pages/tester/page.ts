import { IconTestPipe } from '@tabler/icons-react';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shell } from '../../app/routes';

export const tester = createRoute({
  getParentRoute: () => shell,
  path: '/tester',
  component: lazyRouteComponent(() => import('./tester-page'), 'TesterPage'),
  staticData: {
    menu: { section: 'connect', label: 'tester', icon: IconTestPipe },
    needs: 'traceOrganizationLink',
  },
});
