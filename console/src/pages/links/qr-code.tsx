import { Button, Group, Paper, Skeleton, Stack } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client';
import { getOrganizationShortUrlQrCode_format } from '../../api/values.gen';
import { Problem } from '../../kit/loading';
import { useTexts } from '../../texts/texts';
import { codeOf, type Link } from './link';
import { linkTexts } from './texts';

export interface QrOptions {
  size?: number;
  shape?: Schemas['QrPresetResponse']['shape'];
  margin?: number;
  darkColor?: string;
  lightColor?: string;
  logo?: boolean;
}

const TYPES = { png: 'image/png', svg: 'image/svg+xml' } as const;
const SHOWN_PX = 220;

type Path = '/urls/{id}/qr' | '/campaigns/{id}/qr';

interface Props {
  link: Pick<Link, 'id' | 'link'>;
  path?: Path;
  options?: QrOptions;
}

/** The QR code of a link or campaign, with downloads. */
export function QrCode({ link, path = '/urls/{id}/qr', options = {} }: Props) {
  const t = useTexts(linkTexts);
  const png = useQr(path, link, 'png', options);
  const svg = useQr(path, link, 'svg', options);
  const files = { png, svg };
  const error = svg.error ?? png.error;
  if (error) return <Problem error={error} retry={() => void Promise.all([svg.refetch(), png.refetch()])} />;
  return (
    <Stack gap="sm" align="flex-start">
      <Paper withBorder p="xs" bg="white">
        {svg.data ? (
          <img
            src={dataUrl('svg', svg.data.qrCode)}
            alt={t('qrOf', { address: link.link })}
            width={SHOWN_PX}
            height={SHOWN_PX}
            style={{ display: 'block' }}
          />
        ) : (
          <Skeleton width={SHOWN_PX} height={SHOWN_PX} />
        )}
      </Paper>
      <Group gap="xs">
        {getOrganizationShortUrlQrCode_format.map((format) => {
          const { data } = files[format];
          return (
            <Button
              key={format}
              component="a"
              variant="default"
              size="compact-sm"
              leftSection={<IconDownload size={16} />}
              {...(data && { href: dataUrl(format, data.qrCode), download: `${codeOf(link)}.${format}` })}
            >
              {format.toUpperCase()}
            </Button>
          );
        })}
      </Group>
    </Stack>
  );
}

function useQr(path: Path, { id }: { id: number }, format: keyof typeof TYPES, options: QrOptions) {
  const params = { path: { id }, query: { ...options, format } };
  return api.useQuery('get', path, { params }, { placeholderData: keepPreviousData });
}

function dataUrl(format: keyof typeof TYPES, base64: string): string {
  return `data:${TYPES[format]};base64,${base64}`;
}
