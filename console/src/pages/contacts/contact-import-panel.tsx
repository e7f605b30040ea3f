import { CsvImportPanel } from '../../kit/csv-import/csv-import-panel';
import { useTexts } from '../../texts/texts';
import { contactImport } from './contact-import';
import { contactTexts } from './texts';

const EXAMPLE = {
  name: 'contacts-example.csv',
  content:
    'externalUserId,name,phoneNumber,email,tags,smsOptIn,custom.grade\r\nmember-1001,Kim Minji,010-2345-6789,minji@example.com,"vip,seoul",true,gold\r\n',
};

export function ContactImportPanel({ onClose }: { onClose: () => void }) {
  const t = useTexts(contactTexts);
  return (
    <CsvImportPanel
      of={contactImport}
      settings={null}
      title={t('importTitle')}
      text={t('importText')}
      example={EXAMPLE}
      at={t('line')}
      onClose={onClose}
    />
  );
}
