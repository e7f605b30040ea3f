import { ActionIcon, Button, Group, Kbd } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { May } from '../../api/may';
import { useTexts } from '../../texts/texts';
import { searchTexts } from './texts';

const SearchDialog = lazy(() =>
  import('./search-dialog').then((module) => ({ default: module.SearchDialog })),
);
const LinkPanel = lazy(() =>
  import('../../pages/links/link-panel').then((module) => ({ default: module.LinkPanel })),
);

const KEYS = /mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘K' : 'Ctrl K';

/** Search and "new link" in the header of every page. */
export function SearchEverything() {
  const t = useTexts(searchTexts);
  const [shown, show] = useState<'search' | 'link' | null>(null);
  useHotkeys([['mod+K', () => show('search')]], []);
  const close = () => show(null);
  return (
    <Group gap="xs" wrap="nowrap">
      <Button
        variant="default"
        size="xs"
        visibleFrom="sm"
        leftSection={<IconSearch size={14} />}
        rightSection={<Kbd size="xs">{KEYS}</Kbd>}
        onClick={() => show('search')}
      >
        {t('open')}
      </Button>
      <ActionIcon
        variant="default"
        size={32}
        hiddenFrom="sm"
        aria-label={t('open')}
        onClick={() => show('search')}
      >
        <IconSearch size={16} />
      </ActionIcon>
      <May call="createOrganizationShortUrl">
        <Button
          variant="default"
          size="xs"
          visibleFrom="sm"
          leftSection={<IconPlus size={14} />}
          onClick={() => show('link')}
        >
          {t('newLink')}
        </Button>
        <ActionIcon
          variant="default"
          size={32}
          hiddenFrom="sm"
          aria-label={t('newLink')}
          onClick={() => show('link')}
        >
          <IconPlus size={16} />
        </ActionIcon>
      </May>
      <Suspense>
        {shown === 'search' && <SearchDialog onClose={close} onCreateLink={() => show('link')} />}
        {shown === 'link' && <LinkPanel shown="new" onClose={close} />}
      </Suspense>
    </Group>
  );
}
