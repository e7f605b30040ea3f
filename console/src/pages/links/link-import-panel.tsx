import { CsvImportPanel } from '../../kit/csv-import/csv-import-panel';
import { useTexts } from '../../texts/texts';
import { linkImport } from './link-import';
import { linkTexts } from './texts';

const EXAMPLE = {
  name: 'links-example.csv',
  content:
    'url,customAlias,title,tags\r\nhttps://shop.example.com/spring,spring,Spring sale,"spring,shop"\r\n',
};

export function LinkImportPanel({ onClose, onShow }: { onClose: () => void; onShow: () => void }) {
  const t = useTexts(linkTexts);
  return (
    <CsvImportPanel
      addressed
      of={linkImport}
      settings={null}
      title={t('importTitle')}
      text={t('importText')}
      example={EXAMPLE}
      at={t('line')}
      onClose={onClose}
      onShow={onShow}
    />
  );
}
