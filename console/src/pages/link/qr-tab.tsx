import { ColorInput, NumberInput, Select, SimpleGrid, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ComponentProps, useState } from 'react';
import { formatNumber } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { QrCode } from '../links/qr-code';
import { linkPageTexts } from './texts';

const SIZES = [128, 256, 512, 1024, 2048];
const MAX_MARGIN = 16;
const SETTLED_MS = 300;
const DEFAULTS = { size: 512, margin: 4, darkColor: '#000000', lightColor: '#ffffff' };
const HEX = /^#[0-9a-f]{6}$/i;

export function QrTab({ link, path }: Pick<ComponentProps<typeof QrCode>, 'link' | 'path'>) {
  const t = useTexts(linkPageTexts);
  const [options, setOptions] = useState(DEFAULTS);
  const [settled] = useDebouncedValue(options, SETTLED_MS);
  const change = (changes: Partial<typeof DEFAULTS>) => setOptions((before) => ({ ...before, ...changes }));
  const color = (field: 'darkColor' | 'lightColor') => (
    <ColorInput
      label={t(field)}
      format="hex"
      eyeDropperButtonProps={{ 'aria-label': t('pickColor') }}
      value={options[field]}
      onChange={(value) => HEX.test(value) && change({ [field]: value })}
    />
  );
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl" maw={760}>
      <QrCode link={link} {...(path && { path })} options={settled} />
      <Stack gap="sm">
        <Select
          label={t('size')}
          allowDeselect={false}
          data={SIZES.map((size) => ({
            value: String(size),
            label: t('pixels', { size: formatNumber(size) }),
          }))}
          value={String(options.size)}
          onChange={(size) => size !== null && change({ size: Number(size) })}
        />
        <NumberInput
          label={t('margin')}
          description={t('marginHint')}
          min={0}
          max={MAX_MARGIN}
          clampBehavior="strict"
          allowDecimal={false}
          value={options.margin}
          onChange={(margin) => change({ margin: Number(margin) })}
        />
        {color('darkColor')}
        {color('lightColor')}
      </Stack>
    </SimpleGrid>
  );
}
