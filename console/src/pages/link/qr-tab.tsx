import { Button, Group, Select, SimpleGrid, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ComponentProps, useState } from 'react';
import { api, type Schemas } from '../../api/client';
import { May } from '../../api/may';
import { Result } from '../../kit/loading';
import { formatNumber } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { QrCode } from '../links/qr-code';
import { QrPresetPanel } from './qr-preset-panel';
import { DEFAULT_STYLE, type QrPreset, type QrStyle } from './qr-presets';
import { QrStyleFields } from './qr-style-fields';
import { qrTexts } from './qr-texts';

const SIZES = [128, 256, 512, 1024, 2048];
const DEFAULT_SIZE = 512;
const SETTLED_MS = 300;

type Props = Pick<ComponentProps<typeof QrCode>, 'link' | 'path'>;

export function QrTab(props: Props) {
  const settings = api.useQuery('get', '/qr-settings');
  return <Result of={settings}>{(data) => <Designer {...props} settings={data} />}</Result>;
}

function Designer({ link, path, settings }: Props & { settings: Schemas['QrSettingsResponse'] }) {
  const t = useTexts(qrTexts);
  const { presets } = settings;
  const hasLogo = settings.logo !== null;
  const [size, setSize] = useState(DEFAULT_SIZE);
  const [preset, setPreset] = useState(presets.find(({ isDefault }) => isDefault)?.name ?? null);
  const [style, setStyle] = useState<QrStyle>(() => styleOf(presets.find(({ name }) => name === preset)));
  const [settled] = useDebouncedValue({ size, ...style, logo: hasLogo && style.logo }, SETTLED_MS);
  const [saving, setSaving] = useState(false);
  const choose = (name: string | null) => {
    setPreset(name);
    setStyle(styleOf(presets.find((each) => each.name === name)));
  };
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl" maw={760}>
      <QrCode link={link} {...(path && { path })} options={settled} />
      <Stack gap="sm">
        <Select
          label={t('preset')}
          description={presets.length === 0 && !hasLogo && t('presetHint')}
          placeholder={t('noPreset')}
          clearable
          disabled={presets.length === 0}
          data={presets.map(({ name }) => name)}
          value={preset}
          onChange={choose}
        />
        <Select
          label={t('size')}
          allowDeselect={false}
          data={SIZES.map((pixels) => ({
            value: String(pixels),
            label: t('pixels', { size: formatNumber(pixels) }),
          }))}
          value={String(size)}
          onChange={(pixels) => pixels !== null && setSize(Number(pixels))}
        />
        <QrStyleFields
          style={style}
          hasLogo={hasLogo}
          onChange={(changes) => setStyle((before) => ({ ...before, ...changes }))}
        />
        <May call="updateOrganizationQrSettings">
          <Group>
            <Button variant="default" onClick={() => setSaving(true)}>
              {t('savePreset')}
            </Button>
          </Group>
        </May>
      </Stack>
      {saving && <QrPresetPanel preset={style} hasLogo={hasLogo} onClose={() => setSaving(false)} />}
    </SimpleGrid>
  );
}

function styleOf(preset: QrPreset | undefined): QrStyle {
  if (!preset) return DEFAULT_STYLE;
  const { name: _, isDefault: __, ...style } = preset;
  return style;
}
