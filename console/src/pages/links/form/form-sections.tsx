import { Accordion, Badge, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTexts } from '../../../texts/texts';
import { errorsOf } from './errors';
import type { SharedForm } from './shared-values';
import { formTexts } from './texts';

interface Section {
  readonly title: string;
  readonly fields: readonly string[];
  readonly content: () => ReactNode;
}

/** Collapsible sections of optional fields. A section opens if one of its fields has an error. */
export function FormSections({ form, sections }: { form: SharedForm; sections: readonly Section[] }) {
  const t = useTexts(formTexts);
  const [opened, setOpened] = useState<string[]>([]);
  const { errors } = form;
  const [known, setKnown] = useState(errors);
  if (errors !== known) {
    setKnown(errors);
    const wrong = sections.filter(({ fields }) => errorsOf(errors, fields).length > 0);
    if (wrong.length > 0) setOpened([...new Set([...opened, ...wrong.map(({ title }) => title)])]);
  }
  const set = Object.entries(form.getValues()).flatMap(([field, value]) => (isSet(value) ? [field] : []));
  return (
    <Accordion
      multiple
      variant="separated"
      value={opened}
      onChange={setOpened}
      order={3}
      styles={{ label: { paddingBlock: 10 } }}
    >
      {sections.map(({ title, fields, content }) => {
        const count = fields.filter((field) => set.includes(field)).length;
        return (
          <Accordion.Item key={title} value={title}>
            <Accordion.Control>
              <Group gap="xs" justify="space-between" wrap="nowrap">
                {title}
                {count > 0 && (
                  <Badge size="sm" variant="default">
                    {t('fieldsSet', { count })}
                  </Badge>
                )}
              </Group>
            </Accordion.Control>
            <Accordion.Panel>{opened.includes(title) && content()}</Accordion.Panel>
          </Accordion.Item>
        );
      })}
    </Accordion>
  );
}

/** Whether a field counts as set; switches do not, because they always have a value. */
function isSet(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== '' && typeof value !== 'boolean';
}
