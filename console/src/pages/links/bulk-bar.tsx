import { Button, Group, Menu, Popover, Stack, TagsInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconArchive, IconChevronDown, IconTag, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { confirm } from '../../kit/confirm';
import { type Matching, type Selection, SelectionBar } from '../../kit/selection';
import { common } from '../../texts/common';
import { formatNumber } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { type Change, changeLinks } from './change-links';
import { calledOf, type Kind, type TrackedLink } from './kinds';
import { useTagNames } from './tag-names';
import { linkTexts } from './texts';

interface Props {
  kind: Kind;
  /** The loaded ones of the selected links. */
  links: readonly TrackedLink[];
  selection: Selection;
  select: (selection: Selection) => void;
  matching: Matching;
}

/** Actions for the selected links or campaigns. */
export function BulkBar({ kind, links, selection, select, matching }: Props) {
  const t = useTexts(linkTexts);
  const c = useTexts(common);
  const [progress, setProgress] = useState<number | null>(null);
  const busy = progress !== null;
  const count = selection.size;
  const formatted = formatNumber(count);
  const isWhole = links.length === count;
  const change = async (to: Change) => {
    setProgress(0);
    const left = await changeLinks([...selection].map(Number), to, { kind, links, onPart: setProgress });
    setProgress(null);
    select(new Set(left));
  };
  const run = async (to: Change) => {
    // Undo is possible for loaded links only.
    const yes =
      isWhole ||
      (await confirm({
        title: t('changeTitle', { context: kind, count, formatted }),
        text: t('changeText'),
        confirm: t('change'),
      }));
    if (yes) await change(to);
  };
  const remove = async () => {
    const [first] = links;
    const yes = await confirm({
      title: t('deleteTitle', { context: kind, count, formatted }),
      text: t('deleteText', { context: kind }),
      confirm: c('delete'),
      name: count === 1 && first ? calledOf(first) : t('deleteName', { context: kind, count }),
    });
    if (yes) await change({ delete: true });
  };
  return (
    <SelectionBar
      label={t('bulk', { context: kind })}
      count={count}
      select={select}
      done={progress}
      matching={matching}
    >
      <Button size="compact-sm" variant="default" disabled={busy} onClick={() => void run({ enabled: true })}>
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
    </SelectionBar>
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
