import { ActionIcon, Group, Menu, Paper, Text, Title } from '@mantine/core';
import { IconChartBar, IconDots, IconFileTypeCsv, IconPhoto, IconTable } from '@tabler/icons-react';
import { type ReactNode, useContext, useState } from 'react';
import { Result } from '../kit/loading';
import { saveFile } from '../kit/save-file';
import { useTexts } from '../texts/texts';
import { FileDetails } from './file-details';
import { csvOf } from './sheet';
import { fileName, savePicture } from './save';
import { SheetTable } from './sheet-table';
import { plotTexts } from './texts';
import type { PlotProps, Sheet } from './types';

interface Props extends PlotProps {
  /** Data of the plot, as a table. */
  sheet: Sheet;
  /** Draws the plot as an image; null while it is not rendered. */
  picture: () => HTMLCanvasElement | null;
  /** Whether there is nothing to show. */
  empty: boolean;
  children: ReactNode;
}

const AT_HAND = { data: true, error: null, refetch: () => undefined };

/** The frame of a plot: title, actions, and placeholders while there is nothing to show. */
export function Plot({ title, subtitle, actions, state = AT_HAND, sheet, picture, empty, children }: Props) {
  const t = useTexts(plotTexts);
  const [asTable, setAsTable] = useState(false);
  const file = fileName(`${title} ${useContext(FileDetails)}`);
  const savePng = () => {
    const canvas = picture();
    if (canvas) savePicture(file, canvas);
  };
  return (
    <Paper withBorder p="md" miw={0} component="section" aria-label={title}>
      <Group justify="space-between" wrap="nowrap" align="flex-start" mb="sm" gap="xs">
        <div style={{ minWidth: 0 }}>
          <Title order={2} size="h5">
            {title}
          </Title>
          {subtitle !== undefined && (
            <Text size="xs" c="dimmed" component="div">
              {subtitle}
            </Text>
          )}
        </div>
        <Group gap="xs" wrap="nowrap">
          {actions}
          <Menu position="bottom-end" withinPortal>
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" aria-label={t('menu', { title })}>
                <IconDots size={18} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item
                leftSection={asTable ? <IconChartBar size={16} /> : <IconTable size={16} />}
                onClick={() => setAsTable(!asTable)}
              >
                {t(asTable ? 'asPlot' : 'asTable')}
              </Menu.Item>
              <Menu.Item
                leftSection={<IconFileTypeCsv size={16} />}
                disabled={empty}
                onClick={() => saveFile(`${file}.csv`, new Blob([csvOf(sheet)], { type: 'text/csv' }))}
              >
                {t('csv')}
              </Menu.Item>
              <Menu.Item leftSection={<IconPhoto size={16} />} disabled={empty || asTable} onClick={savePng}>
                {t('png')}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </Group>
      </Group>
      <Result of={state}>
        {() =>
          empty ? (
            <Text c="dimmed" ta="center" py="xl">
              {t('empty')}
            </Text>
          ) : asTable ? (
            <SheetTable title={title} sheet={sheet} />
          ) : (
            children
          )
        }
      </Result>
    </Paper>
  );
}
