import { Button, Group, Menu, Paper, Popover, Stack, TagsInput, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconArchive, IconChevronDown, IconTag, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { confirm } from '../../kit/confirm';
import { common } from '../../texts/common';
import { useTexts } from '../../texts/texts';
import { type Change, changeLinks } from './change-links';
import { addressOf, type Link } from './link';
import { useTagNames } from './tag-names';
import { linkTexts } from './texts';

interface Props {
  links: readonly Link[];
  onDone: () => void;
}

/** What can be done with the selected links at once. */
export function BulkBar({ links, onDone }: Props) {
  const t = useTexts(linkTexts);
  const c = useTexts(common);
  const [busy, setBusy] = useState(false);
  const count = links.length;
  const run = async (change: Change) => {
    setBusy(true);
    if (await changeLinks(links, change)) onDone();
    setBusy(false);
  };
  const remove = async () => {
    const [first] = links;
    const yes = await confirm({
      title: t('deleteTitle', { count }),
      text: t('deleteText'),
      confirm: c('delete'),
      name: count === 1 && first ? addressOf(first) : t('deleteName', { count }),
    });
    if (yes) await run({ delete: true });
  };
  return (
    <Paper
      withBorder
      p="xs"
      pos="sticky"
      top={64}
      style={{ zIndex: 50 }}
      role="region"
      aria-label={t('bulk')}
    >
      <Group gap="xs">
        <Text size="sm" fw={600} px="xs" role="status">
          {c('selected', { count })}
        </Text>
        <Button
          size="compact-sm"
          variant="default"
          disabled={busy}
          onClick={() => void run({ enabled: true })}
        >
          {t('enable')}
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          disabled={busy}
          onClick={() => void run({ enabled: false })}
        >
          {t('disable')}
        </Button>
        <Menu>
          <Menu.Target>
            <Button
              size="compact-sm"
              variant="default"
              disabled={busy}
              leftSection={<IconArchive size={16} />}
              rightSection={<IconChevronDown size={14} />}
            >
              {t('archive')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => void run({ archived: true })}>{t('archive')}</Menu.Item>
            <Menu.Item onClick={() => void run({ archived: false })}>{t('unarchive')}</Menu.Item>
          </Menu.Dropdown>
        </Menu>
        <TagButton busy={busy} run={run} />
        <Button
          size="compact-sm"
          variant="default"
          c="var(--mantine-color-error)"
          disabled={busy}
          leftSection={<IconTrash size={16} />}
          onClick={() => void remove()}
        >
          {c('delete')}
        </Button>
        <Button size="compact-sm" variant="subtle" onClick={onDone}>
          {t('unselect')}
        </Button>
      </Group>
    </Paper>
  );
}

function TagButton({ busy, run }: { busy: boolean; run: (change: Change) => Promise<void> }) {
  const t = useTexts(linkTexts);
  const [opened, box] = useDisclosure(false);
  const [tags, setTags] = useState<string[]>([]);
  const names = useTagNames();
  const act = (change: Change) => {
    box.close();
    setTags([]);
    void run(change);
  };
  return (
    <Popover opened={opened} onChange={(open) => !open && box.close()} trapFocus width={300} shadow="md">
      <Popover.Target>
        <Button
          size="compact-sm"
          variant="default"
          disabled={busy}
          leftSection={<IconTag size={16} />}
          rightSection={<IconChevronDown size={14} />}
          onClick={box.toggle}
        >
          {t('tags')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('tags')}>
        <Stack gap="sm">
          <TagsInput
            label={t('tags')}
            data={names}
            value={tags}
            onChange={setTags}
            comboboxProps={{ withinPortal: false, position: 'top' }}
            maxDropdownHeight={140}
            data-autofocus
          />
          <Group gap="xs" justify="flex-end">
            <Button
              size="compact-sm"
              variant="default"
              disabled={tags.length === 0}
              onClick={() => act({ removeTags: tags })}
            >
              {t('removeTags')}
            </Button>
            <Button size="compact-sm" disabled={tags.length === 0} onClick={() => act({ addTags: tags })}>
              {t('addTags')}
            </Button>
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
