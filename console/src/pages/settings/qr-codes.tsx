import {
  Badge,
  Button,
  ColorSwatch,
  FileButton,
  Group,
  Menu,
  Paper,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { IconPlus, IconQrcode } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { api, client, queries, type Schemas } from '../../api/client';
import { ActionsMenu, DeleteItem } from '../../kit/actions-menu';
import { type Column, DataTable } from '../../kit/data-table';
import { Empty } from '../../kit/empty';
import { unwrap } from '../../kit/form';
import { listOf } from '../../kit/list-of';
import { Result } from '../../kit/loading';
import { showDone, showError } from '../../kit/toasts';
import { common } from '../../texts/common';
import { useTexts } from '../../texts/texts';
import { QrPresetPanel } from '../link/qr-preset-panel';
import { changePresets, DEFAULT_STYLE, type QrPreset, withPreset } from '../link/qr-presets';
import { qrTexts } from '../link/qr-texts';
import { logoFile } from './logo-file';
import { settingsTexts } from './texts';

const SHOWN_PX = 96;

/** The logo and the presets of the organization's QR codes. */
export function QrCodes() {
  const settings = api.useQuery('get', '/qr-settings');
  return (
    <Result of={settings}>
      {({ logo, presets }) => (
        <Stack gap="xl">
          <Logo logo={logo} />
          <Presets presets={presets} hasLogo={logo !== null} />
        </Stack>
      )}
    </Result>
  );
}

function Logo({ logo }: Pick<Schemas['QrSettingsResponse'], 'logo'>) {
  const t = useTexts(settingsTexts);
  const save = async (changed: string | null) => {
    await unwrap(client.PUT('/qr-settings', { body: { logo: changed } }));
    await queries.invalidateQueries();
  };
  const upload = async (file: File) => {
    await save(await logoFile(file, t('qrLogoRefused')));
    showDone(t('qrLogoSaved'));
  };
  const remove = async () => {
    await save(null);
    showDone(t('qrLogoRemoved'), () => void save(logo).catch(showError));
  };
  return (
    <Paper withBorder p="lg" maw={640}>
      <Stack>
        <Title order={2} size="h4">
          {t('qrLogo')}
        </Title>
        <Text size="sm">{t('qrLogoText')}</Text>
        {logo !== null && (
          <Paper withBorder p="xs" bg="white" style={{ alignSelf: 'flex-start' }}>
            <img
              src={`data:image/png;base64,${logo}`}
              alt={t('qrLogo')}
              style={{ display: 'block', maxWidth: SHOWN_PX, maxHeight: SHOWN_PX }}
            />
          </Paper>
        )}
        <Group gap="xs">
          <FileButton
            accept="image/*"
            onChange={(file) => file && void upload(file).catch(showError)}
            inputProps={{ 'aria-label': t('qrLogo') }}
          >
            {(props) => (
              <Button variant="default" {...props}>
                {t(logo === null ? 'qrLogoUpload' : 'qrLogoReplace')}
              </Button>
            )}
          </FileButton>
          {logo !== null && (
            <Button variant="default" onClick={() => void remove().catch(showError)}>
              {t('remove')}
            </Button>
          )}
        </Group>
      </Stack>
    </Paper>
  );
}

function Presets({ presets, hasLogo }: { presets: readonly QrPreset[]; hasLogo: boolean }) {
  const t = useTexts(settingsTexts);
  const q = useTexts(qrTexts);
  const c = useTexts(common);
  const [edited, setEdited] = useState<QrPreset | 'new' | null>(null);
  const columns = useMemo<Column<QrPreset>[]>(() => {
    const change = async (to: Parameters<typeof changePresets>[0]) => {
      await changePresets(to);
      await queries.invalidateQueries();
    };
    const remove = async (preset: QrPreset) => {
      await change((all) => all.filter(({ name }) => name !== preset.name));
      const undo = () => change((all) => withPreset(all, preset, preset.name));
      showDone(t('qrPresetDeleted'), () => void undo().catch(showError));
    };
    return [
      {
        key: 'name',
        title: q('presetName'),
        cell: ({ name, isDefault }) => (
          <Group gap="xs">
            <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Text>
            {isDefault && <Badge color="gray.7">{t('qrDefault')}</Badge>}
          </Group>
        ),
      },
      { key: 'shape', title: q('shape'), cell: ({ shape }) => q(shape) },
      {
        key: 'colors',
        title: t('qrColors'),
        cell: ({ darkColor, lightColor }) => (
          <Group gap={4} wrap="nowrap">
            <ColorSwatch color={darkColor} size={18} />
            <ColorSwatch color={lightColor} size={18} />
          </Group>
        ),
      },
      { key: 'logo', title: t('qrLogo'), from: 'sm', cell: ({ logo }) => c(logo ? 'yes' : 'no') },
      {
        key: 'actions',
        title: '',
        align: 'right',
        width: 60,
        cell: (preset) => (
          <ActionsMenu label={`${c('actions')}: ${preset.name}`} inRow>
            <Menu.Item onClick={() => setEdited(preset)}>{c('edit')}</Menu.Item>
            <DeleteItem onClick={() => void remove(preset).catch(showError)} />
          </ActionsMenu>
        ),
      },
    ];
  }, [t, q, c]);
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setEdited('new')}>
      {q('addPreset')}
    </Button>
  );
  return (
    <Stack>
      <Group justify="space-between">
        <Text size="sm">{t('qrPresetsText')}</Text>
        {add}
      </Group>
      <DataTable
        label={t('qrPresets')}
        list={listOf(presets)}
        columns={columns}
        rowKey={({ name }) => name}
        empty={<Empty icon={IconQrcode} title={t('noQrPresets')} text={t('noQrPresetsText')} action={add} />}
      />
      {edited && (
        <QrPresetPanel
          preset={edited === 'new' ? DEFAULT_STYLE : edited}
          hasLogo={hasLogo}
          onClose={() => setEdited(null)}
        />
      )}
    </Stack>
  );
}
