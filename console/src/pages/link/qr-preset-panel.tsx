import { Checkbox, TextInput } from '@mantine/core';
import { isApiError } from '../../api/errors';
import { FormFrame, useApiForm } from '../../kit/form';
import { limited } from '../../kit/limited';
import { Panel } from '../../kit/panel';
import { showDone } from '../../kit/toasts';
import { common } from '../../texts/common';
import { useTexts } from '../../texts/texts';
import { changePresets, type QrPreset, type QrStyle, withPreset } from './qr-presets';
import { QrStyleFields } from './qr-style-fields';
import { qrTexts } from './qr-texts';

interface Props {
  /** A stored preset, or the style of a new one. */
  preset: QrStyle & Partial<QrPreset>;
  hasLogo: boolean;
  onClose: () => void;
}

/** Adds a preset of QR codes, or edits one. */
export function QrPresetPanel({ preset, hasLogo, onClose }: Props) {
  const t = useTexts(qrTexts);
  const c = useTexts(common);
  const { name: stored } = preset;
  const edit = useApiForm({
    initialValues: { name: '', isDefault: false, ...preset },
    send: (values) => changePresets((presets) => withPreset(presets, values, stored)).catch(ofPreset),
    done: () => {
      showDone(t('presetSaved'));
      onClose();
    },
  });
  const { form } = edit;
  return (
    <Panel opened title={t(stored === undefined ? 'addPreset' : 'editPreset')} onClose={onClose}>
      <FormFrame of={edit} label={c('save')}>
        <TextInput
          label={t('presetName')}
          required
          data-autofocus
          {...limited(50, form.getInputProps('name'))}
        />
        <QrStyleFields
          style={form.getValues()}
          hasLogo={hasLogo}
          onChange={(changes) => form.setValues(changes)}
        />
        <Checkbox label={t('isDefault')} {...form.getInputProps('isDefault', { type: 'checkbox' })} />
      </FormFrame>
    </Panel>
  );
}

/** Names the fields of the preset, of which the form has one, as the form does. */
function ofPreset(error: unknown): never {
  const details = isApiError(error) ? error.details : undefined;
  for (const detail of details ?? []) detail.field = detail.field.replace(/^presets\[\d+\]\./, '');
  throw error;
}
