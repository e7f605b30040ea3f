import { NavLink, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { mayCall } from '../api/may';
import { me } from '../api/session';
import { useStore } from '../api/store';
import { menu } from '../pages';
import { menuTexts } from '../texts/menu';
import { useTexts } from '../texts/texts';

/** The menu: the pages that the user's role may open. */
export function Navigation() {
  const t = useTexts(menuTexts);
  const role = useStore(me)?.role ?? '';
  return menu.map(({ section, items }) => {
    const open = items.filter(
      ({ page }) => !page.options.staticData?.needs || mayCall(role, page.options.staticData.needs),
    );
    if (open.length === 0) return null;
    return (
      <div key={section}>
        {section !== 'top' && (
          <Text size="xs" fw={600} c="dimmed" mt="sm" mb={4} px="sm">
            {t(section)}
          </Text>
        )}
        {open.map(({ page, label, icon: Icon }) => (
          <NavLink
            key={page.to}
            component={Link}
            to={page.to}
            label={t(label)}
            leftSection={<Icon size={18} stroke={1.7} />}
            activeOptions={{ exact: page.to === '/' }}
            activeProps={{ 'data-active': true, 'aria-current': 'page' }}
            style={{ borderRadius: 'var(--mantine-radius-md)' }}
          />
        ))}
      </div>
    );
  });
}
