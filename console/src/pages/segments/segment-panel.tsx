import { Checkbox, Loader, Paper, Text, Textarea, TextInput } from '@mantine/core';
import { client, type Schemas } from '../../api/client';
import { FormFrame, unwrap, useApiForm } from '../../kit/form';
import { limited } from '../../kit/limited';
import { Panel } from '../../kit/panel';
import { showDone } from '../../kit/toasts';
import { common } from '../../texts/common';
import { formatNumber } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { Builder } from './builder';
import { conditionGroupsOf, type DraftGroup, draftsOf, EMPTY } from './condition';
import { segmentTexts } from './texts';
import { type Count, useCount } from './use-count';
import { useProperties } from './use-properties';

type Segment = Schemas['SegmentResponse'];

interface Props {
  segment?: Segment;
  onClose: () => void;
  onDone: (segment: Segment) => void;
}

export function SegmentPanel({ segment, onClose, onDone }: Props) {
  const t = useTexts(segmentTexts);
  return (
    <Panel opened title={t(segment ? 'editTitle' : 'createTitle')} onClose={onClose} size="xl">
      <SegmentForm segment={segment ?? null} onDone={onDone} />
    </Panel>
  );
}

interface FormProps {
  segment: Segment | null;
  onDone: (segment: Segment) => void;
}

function SegmentForm({ segment, onDone }: FormProps) {
  const t = useTexts(segmentTexts);
  const c = useTexts(common);
  const properties = useProperties();
  const groups: DraftGroup[] = segment ? draftsOf(segment.conditionGroups) : [{ conditions: [EMPTY] }];
  const edit = useApiForm({
    initialValues: {
      name: segment?.name ?? '',
      description: segment?.description ?? '',
      isActive: segment?.isActive ?? true,
      conditionGroups: groups,
    },
    send: async ({ name, description, isActive, conditionGroups }) => {
      const body = {
        name,
        description: description === '' ? null : description,
        isActive,
        conditionGroups: conditionGroupsOf(conditionGroups, properties.typeOf),
      };
      if (segment)
        return unwrap(client.PUT('/segments/{id}', { params: { path: { id: segment.id } }, body }));
      const made = await unwrap(client.POST('/segments', { body }));
      // A new segment has no members until it is evaluated; if this fails, the daily evaluation does it.
      const { data } = await client.POST('/segments/{id}/evaluate', { params: { path: { id: made.id } } });
      return data ?? made;
    },
    done: (saved) => {
      showDone(segment ? c('saved') : t('created'));
      onDone(saved);
    },
  });
  const { form } = edit;
  const { conditionGroups } = form.getValues();
  const count = useCount(conditionGroups, properties);
  const change = (next: DraftGroup[]) => {
    for (const path of Object.keys(form.errors))
      if (path.startsWith('conditionGroups')) form.clearFieldError(path);
    form.setFieldValue('conditionGroups', next);
  };
  const problem = (path: string) => form.errors[`conditionGroups.${path}`] ?? count.problems[path];
  return (
    <FormFrame of={edit} label={segment ? c('save') : t('create')}>
      <TextInput label={t('name')} required data-autofocus {...limited(100, form.getInputProps('name'))} />
      <Textarea
        label={t('description')}

        autosize
        minRows={1}
        {...limited(500, form.getInputProps('description'))}
      />
      <Checkbox
        label={t('isActive')}
        description={t('isActiveHint')}
        {...form.getInputProps('isActive', { type: 'checkbox' })}
      />
      <Text fw={600}>{t('conditionGroups')}</Text>
      <Builder groups={conditionGroups} properties={properties} problem={problem} onChange={change} />
      <LiveCount of={count} />
    </FormFrame>
  );
}

function LiveCount({ of: { state, count } }: { of: Count }) {
  const t = useTexts(segmentTexts);
  const text = () => {
    if (state === 'counting') return t('counting');
    if (state !== 'counted') return t('countIncomplete');
    return count === null ? t('countTooLong') : t('countNow', { count, formatted: formatNumber(count) });
  };
  return (
    <Paper withBorder p="sm" pos="sticky" bottom={60} style={{ zIndex: 1 }} role="status" aria-live="polite">
      <Text fw={600} className="numbers">
        {state === 'counting' && <Loader size={14} mr="xs" />}
        {text()}
      </Text>
    </Paper>
  );
}
