import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { organizationUrl } from '../../api/session-fetch';
import { useTexts } from '../../texts/texts';
import { linkTexts } from './texts';
import { listQueryText, type ListView } from './view';

/** Downloads the links that the list shows, as CSV. */
export function ExportButton({ view }: { view: ListView }) {
  const t = useTexts(linkTexts);
  return (
    <Button
      component="a"
      variant="default"
      leftSection={<IconDownload size={16} />}
      href={organizationUrl(`/urls/export?${listQueryText(view)}`)}
      download="links.csv"
    >
      {t('export')}
    </Button>
  );
}
