import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { common } from '../texts/common';
import { useTexts } from '../texts/texts';
import { unwrap } from './form';
import { saveFile } from './save-file';
import { showError } from './toasts';

/** A call of the typed client with `parseAs: 'blob'`. */
export type FileCall = () => Promise<{ data?: Blob; error?: unknown; response: Response }>;

/** Downloads files of the API, and shows the API's error if that fails. */
export function useDownload() {
  const [busy, setBusy] = useState(false);
  const download = (name: string, call: FileCall) => {
    setBusy(true);
    unwrap(call())
      .then((content) => saveFile(name, content))
      .catch(showError)
      .finally(() => setBusy(false));
  };
  return { busy, download };
}

/** Button that exports the current list. */
export function ExportButton({ name, call }: { name: string; call: FileCall }) {
  const c = useTexts(common);
  const { busy, download } = useDownload();
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} />}
      loading={busy}
      onClick={() => download(name, call)}
    >
      {c('export')}
    </Button>
  );
}
