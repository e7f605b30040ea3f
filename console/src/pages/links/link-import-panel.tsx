import { CsvImportPanel } from '../../kit/csv-import/csv-import-panel';
import { useTexts } from '../../texts/texts';
import type { Kind } from './kinds';
import { LINK_IMPORTS } from './link-import';
import { linkTexts } from './texts';

const EXAMPLES = {
  link: {
    name: 'links-example.csv',
    content:
      'url,customAlias,title,tags\r\nhttps://shop.example.com/spring,spring,Spring sale,"spring,shop"\r\n',
  },
  campaign: {
    name: 'campaigns-example.csv',
    content:
      'name,originalUrl,alias,tags\r\nSpring sale,https://shop.example.com/spring,spring,"spring,shop"\r\n',
  },
};

interface Props {
  kind: Kind;
  onClose: () => void;
  onShow: () => void;
}

export function LinkImportPanel({ kind, onClose, onShow }: Props) {
  const t = useTexts(linkTexts);
  return (
    <CsvImportPanel
      addressed
      of={LINK_IMPORTS[kind]}
      settings={null}
      title={t('importTitle', { context: kind })}
      text={t('importText', { context: kind })}
      example={EXAMPLES[kind]}
      at={t('line')}
      onClose={onClose}
      onShow={onShow}
    />
  );
}
