import { client, type Schemas } from '../../api/client';
import { unwrap } from '../../kit/form';

export type QrPreset = Schemas['QrPresetResponse'];
export type QrStyle = Omit<QrPreset, 'name' | 'isDefault'>;

export const DEFAULT_STYLE: QrStyle = {
  shape: 'square',
  margin: 4,
  darkColor: '#000000',
  lightColor: '#ffffff',
  logo: false,
};

/** Changes the presets as they are stored now. @throws the API's error, with the fields of a preset */
export async function changePresets(change: (presets: readonly QrPreset[]) => QrPreset[]): Promise<void> {
  const stored = client.GET('/qr-settings');
  const presets = change((await unwrap(stored)).presets);
  const etag = (await stored).response.headers.get('ETag') ?? '*';
  await unwrap(client.PUT('/qr-settings', { params: { header: { 'If-Match': etag } }, body: { presets } }));
}

/** The presets with one instead of that called `name`, or at their end; a new default replaces the one before. */
export function withPreset(
  presets: readonly QrPreset[],
  preset: QrPreset,
  name: string | undefined,
): QrPreset[] {
  const others = presets.map((each) => (preset.isDefault ? { ...each, isDefault: false } : each));
  return presets.some((each) => each.name === name)
    ? others.map((each) => (each.name === name ? preset : each))
    : [...others, preset];
}
