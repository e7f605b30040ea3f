import { Fieldset, MultiSelect, Stack, Switch } from '@mantine/core';
import type { ReactNode } from 'react';

const EVERY = '*';

interface Props<Value extends string> {
  label: string;
  hint: string;
  /** Label of the switch that chooses everything. */
  every: string;
  /** Label of the list of choices. */
  some: string;
  choices: readonly Value[];
  value: Value[];
  onChange: (value: Value[]) => void;
  error?: ReactNode;
}

/** A switch for everything (`*`), with a list of individual choices. */
export function EveryOrSome<Value extends string>(props: Props<Value>) {
  const { label, hint, every, some, choices, value, onChange, error } = props;
  const all = choices.filter((choice) => choice === EVERY);
  const isEvery = value.some((choice) => choice === EVERY);
  return (
    <Fieldset legend={label} p="sm">
      <Stack gap="sm">
        <Switch
          label={every}
          checked={isEvery}
          onChange={({ currentTarget }) => onChange(currentTarget.checked ? all : [])}
        />
        <MultiSelect
          label={some}
          description={hint}
          searchable
          disabled={isEvery}
          data={choices.filter((choice) => choice !== EVERY)}
          value={isEvery ? [] : value}
          onChange={onChange}
          error={error}
        />
      </Stack>
    </Fieldset>
  );
}
