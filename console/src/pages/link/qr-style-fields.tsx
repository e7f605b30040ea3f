import { ColorInput, NumberInput, Select, Switch } from '@mantine/core';
import { QrPresetFields_shape } from '../../api/values.gen';
import { useTexts } from '../../texts/texts';
import type { QrStyle } from './qr-presets';
import { qrTexts } from './qr-texts';

const MAX_MARGIN = 16;
const HEX = /^#[0-9a-f]{6}(?:[0-9a-f]{2})?$/i;
const OPAQUE = '#rrggbb'.length;

interface Props {
  style: QrStyle;
  hasLogo: boolean;
  onChange: (changes: Partial<QrStyle>) => void;
}

/** How QR codes look, except for their size. */
export function QrStyleFields({ style, hasLogo, onChange }: Props) {
  const t = useTexts(qrTexts);
  const color = (field: 'darkColor' | 'lightColor') => (
    <ColorInput
      label={t(field)}
      format={style[field].length > OPAQUE ? 'hexa' : 'hex'}
      eyeDropperButtonProps={{ 'aria-label': t('pickColor') }}
      value={style[field]}
      onChange={(value) => HEX.test(value) && onChange({ [field]: value })}
    />
  );
  return (
    <>
      <Select
        label={t('shape')}
        allowDeselect={false}
        data={QrPresetFields_shape.map((shape) => ({ value: shape, label: t(shape) }))}
        value={style.shape}
        onChange={(shape) => shape && onChange({ shape })}
      />
      <NumberInput
        label={t('margin')}
        description={t('marginHint')}
        min={0}
        max={MAX_MARGIN}
        clampBehavior="strict"
        allowDecimal={false}
        value={style.margin}
        onChange={(margin) => onChange({ margin: Number(margin) })}
      />
      {color('darkColor')}
      {color('lightColor')}
      <Switch
        label={t('withLogo')}
        disabled={!hasLogo}
        checked={hasLogo && style.logo}
        onChange={(event) => onChange({ logo: event.currentTarget.checked })}
      />
    </>
  );
}
