import { NumberInput, Stack, Switch } from '@mantine/core';
import { queries, type Schemas } from '../../api/client';
import { FormFrame, useApiForm } from '../../kit/form';
import { showDone, showError } from '../../kit/toasts';
import { common } from '../../texts/common';
import { useTexts } from '../../texts/texts';
import { linkPageTexts } from './texts';

type Settings = Schemas['SettingsResponse'];

const DEFAULT_WINDOW = 60;

interface SettingsValues {
  /** An empty number field has a text value. */
  deduplication: { enabled: boolean; windowMinutes: number | string };
  adPage: { enabled: boolean };
}

interface Props {
  settings: Settings;
  mayEdit: boolean;
  save: (settings: Settings) => Promise<Settings>;
}

/** Settings for counting the clicks of a link or campaign, and for the ad page. */
export function CountingForm({ settings, mayEdit, save }: Props) {
  const t = useTexts(linkPageTexts);
  const c = useTexts(common);
  const form = useApiForm<SettingsValues, Settings>({
    initialValues: {
      deduplication: {
        enabled: settings.deduplication.enabled,
        windowMinutes: settings.deduplication.windowMinutes ?? DEFAULT_WINDOW,
      },
      adPage: { enabled: settings.adPage.enabled },
    },
    send: ({ deduplication, adPage }) =>
      save({
        deduplication: {
          enabled: deduplication.enabled,
          windowMinutes: deduplication.enabled ? Number(deduplication.windowMinutes) : null,
        },
        adPage,
      }),
    done: () =>
      showDone(c('saved'), () => {
        save(settings)
          .then(() => queries.invalidateQueries())
          .catch(showError);
      }),
  });
  const fields = form.form;
  const content = (
    <>
      <Switch
        label={t('deduplication')}
        description={t('deduplicationHint')}
        disabled={!mayEdit}
        {...fields.getInputProps('deduplication.enabled', { type: 'checkbox' })}
      />
      {fields.getValues().deduplication.enabled && (
        <NumberInput
          clampBehavior="none"
          label={t('windowMinutes')}
          min={1}
          allowDecimal={false}
          disabled={!mayEdit}
          {...fields.getInputProps('deduplication.windowMinutes')}
        />
      )}
      <Switch
        label={t('adPage')}
        description={t('adPageHint')}
        disabled={!mayEdit}
        {...fields.getInputProps('adPage.enabled', { type: 'checkbox' })}
      />
    </>
  );
  return mayEdit ? (
    <FormFrame of={form} label={c('save')}>
      {content}
    </FormFrame>
  ) : (
    <Stack>{content}</Stack>
  );
}
