import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { ViewStep } from './view';
import { common } from '../texts/common';
import { useTexts } from '../texts/texts';
import { limited, tooLong } from './limited';

interface Props {
  value: string;
  /** @param step merges consecutive keystrokes into one history entry */
  onChange: (value: string, step: ViewStep) => void;
  label: string;
}

const SETTLED_MS = 250;
const MAX = 100;

/** A field that searches while typing. */
export function SearchField({ value, onChange, label }: Props) {
  const t = useTexts(common);
  const [typed, setTyped] = useState(value);
  const sent = useRef(value);
  const send = useDebouncedCallback((text: string) => {
    const replace = sent.current !== '' && text !== '';
    sent.current = text;
    onChange(text, { replace });
  }, SETTLED_MS);
  useEffect(() => {
    // The value was changed elsewhere, such as by "Clear filters".
    if (value !== sent.current) setTyped(value);
    sent.current = value;
  }, [value]);
  const type = (text: string) => {
    setTyped(text);
    if (tooLong(text, MAX) === null) send(text.trim());
    else send.cancel();
  };
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      {...limited(MAX, { value: typed })}
      leftSection={<IconSearch size={16} />}
      rightSection={
        typed && <CloseButton size="sm" aria-label={t('clearFilters')} onClick={() => type('')} />
      }
      onChange={(event) => type(event.currentTarget.value)}
      w={{ base: '100%', sm: 280 }}
    />
  );
}
