import { Loader, Modal, ScrollArea, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, useState } from 'react';
import { useMay } from '../../api/may';
import { common } from '../../texts/common';
import { useTexts } from '../../texts/texts';
import classes from './search.module.css';
import { searchTexts } from './texts';
import { type Found, useFound } from './use-found';

interface Props {
  onClose: () => void;
  onCreateLink: () => void;
}

const SETTLED_MS = 200;
/** Maximum number of characters that the API searches for. */
const LONGEST = 100;

/** Searches everything that the user may see, with keyboard control by arrows and Enter. */
export function SearchDialog({ onClose, onCreateLink }: Props) {
  const t = useTexts(searchTexts);
  const c = useTexts(common);
  const { history } = useRouter();
  const mayCreate = useMay('createOrganizationShortUrl');
  const [typed, setTyped] = useState('');
  const [text] = useDebouncedValue(typed.trim().slice(0, LONGEST), SETTLED_MS);
  const [at, setAt] = useState(0);
  const { groups, busy } = useFound(text);
  const create: Found = { key: 'create', name: t('createLink'), to: '' };
  const isCreate = mayCreate && create.name.toLowerCase().includes(text.toLowerCase());
  const all = [...(isCreate ? [{ name: 'actions' as const, found: [create] }] : []), ...groups];
  const found = all.flatMap((group) => group.found);
  const chosen = found[Math.min(at, found.length - 1)];
  const open = ({ to, key }: Found) => {
    onClose();
    if (key === 'create') onCreateLink();
    else history.push(`/console${to}`);
  };
  const press = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && found.length > 0) {
      event.preventDefault();
      setAt((Math.min(at, found.length - 1) + step + found.length) % found.length);
    }
    // Enter may also complete a Korean syllable.
    if (event.key === 'Enter' && !event.nativeEvent.isComposing && chosen) {
      event.preventDefault();
      open(chosen);
    }
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('open')}
      size="lg"
      closeButtonProps={{ 'aria-label': c('close') }}
    >
      <TextInput
        type="search"
        role="combobox"
        aria-expanded
        aria-controls="everything"
        aria-autocomplete="list"
        aria-activedescendant={chosen && idOf(chosen)}
        aria-label={t('field')}
        placeholder={t('field')}
        data-autofocus
        value={typed}
        leftSection={<IconSearch size={16} />}
        rightSection={busy && <Loader size="xs" />}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={press}
      />
      <ScrollArea.Autosize mah="60vh" mt="sm" type="auto">
        <div role="listbox" id="everything" aria-label={t('open')}>
          {all.map(({ name, found: entries }) => (
            <div key={name} role="group" aria-label={t(name)}>
              <Text size="xs" fw={600} c="dimmed" px="xs" mt="xs" aria-hidden>
                {t(name)}
              </Text>
              {entries.map((one) => (
                <UnstyledButton
                  key={one.key}
                  id={idOf(one)}
                  role="option"
                  tabIndex={-1}
                  aria-selected={one === chosen}
                  className={classes.entry}
                  ref={(element) => {
                    if (one === chosen) element?.scrollIntoView({ block: 'nearest' });
                  }}
                  onClick={() => open(one)}
                >
                  <Text size="sm" truncate title={one.name}>
                    {one.name}
                  </Text>
                  {one.detail !== undefined && one.detail !== one.name && (
                    <Text size="xs" c="dimmed" truncate>
                      {one.detail}
                    </Text>
                  )}
                </UnstyledButton>
              ))}
            </div>
          ))}
        </div>
        {found.length === 0 && !busy && (
          <Text size="sm" c="dimmed" ta="center" py="md" role="status">
            {t('nothing')}
          </Text>
        )}
      </ScrollArea.Autosize>
      <Text size="xs" c="dimmed" mt="sm" visibleFrom="sm">
        {t('hint')}
      </Text>
    </Modal>
  );
}

function idOf({ key }: Found): string {
  return `found-${key.replaceAll(/[^\w-]/g, '-')}`;
}
