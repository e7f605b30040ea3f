import { NavLink, Text } from '@mantine/core';
import { IconChevronLeft } from '@tabler/icons-react';
import { Link, useLocation, useRouter } from '@tanstack/react-router';
import { mayCall } from '../api/may';
import { me } from '../api/session';
import { useStore } from '../api/store';
import { RouteLink } from '../kit/route-link';
import { pages } from '../pages';
import { menuTexts } from '../texts/menu';
import { useTexts } from '../texts/texts';
import { pathBefore } from './history';
import { type Section, SECTIONS } from './routes';

/** The menu, with the pages that the user may open. */
export function Navigation() {
  const t = useTexts(menuTexts);
  return SECTIONS.map((section) => (
    <Items key={section} section={section} title={section === 'top' ? null : t(section)} />
  ));
}

function Items({ section, title }: { section: Section; title: string | null }) {
  const t = useTexts(menuTexts);
  const user = useStore(me);
  const items = pages.flatMap(({ to, options: { staticData } }) => {
    const { menu, needs } = staticData ?? {};
    const open = menu?.section === section && (!needs || mayCall(user, needs));
    return open ? [{ to, isStart: to === '/', ...menu }] : [];
  });
  if (items.length === 0) return null;
  return (
    <>
      {title !== null && (
        <Text size="xs" fw={600} c="dimmed" mt="sm" mb={4} px="sm">
          {title}
        </Text>
      )}
      {items.map(({ to, isStart, label, icon: Icon }) => (
        <NavLink
          key={to}
          component={Link}
          to={to}
          label={t(label)}
          leftSection={<Icon size={18} stroke={1.7} />}
          activeOptions={{ exact: isStart }}
          activeProps={{ 'data-active': true, 'aria-current': 'page' }}
          style={{ borderRadius: 'var(--mantine-radius-md)' }}
        />
      ))}
    </>
  );
}

/** Link to the list that the page belongs to, in its previous state if the user comes from there. */
export function ParentLink() {
  const t = useTexts(menuTexts);
  const { history } = useRouter();
  const { pathname } = useLocation();
  const parent = pages.find(({ to }) => to !== '/' && pathname.startsWith(`${to}/`));
  const menu = parent?.options.staticData?.menu;
  if (!parent || !menu) return null;
  return (
    <Text size="sm" mb={4} maw={1400} mx="auto">
      <RouteLink
        to={parent.to}
        c="dimmed"
        aria-label={t('backTo', { page: t(menu.label) })}
        onClick={(event) => {
          if (pathBefore() !== parent.to || event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          history.back();
        }}
      >
        <IconChevronLeft size={14} aria-hidden style={{ verticalAlign: '-2px' }} />
        {t(menu.label)}
      </RouteLink>
    </Text>
  );
}
