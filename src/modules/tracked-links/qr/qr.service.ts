import { Injectable } from '@nestjs/common';
import { create, toString } from 'qrcode';
import type { Caller } from '../../../access/caller';
import { SCAN_PARAMETER } from '../../domains/destinations/own-parameters';
import { trackedLinkAddress } from '../tracked-link-address';
import { TrackedLinkPlaces } from '../tracked-link-places';
import type { QrQuery, QrResponse } from './qr.dto';
import type { TrackedLinkEntity } from '../tracked-link.entity';
import type { TrackedLinksRepository } from '../tracked-links.repository';
import { qrPng } from './qr-png';

/** QR codes of links and campaigns (docs/concepts/links.md#qr-codes). */
@Injectable()
export class QrService {
  constructor(private readonly places: TrackedLinkPlaces) {}

  /** @throws NotFound */
  async draw<T extends TrackedLinkEntity>(
    rows: TrackedLinksRepository<T>,
    { organizationId }: Caller,
    id: number,
    query: QrQuery,
  ): Promise<QrResponse> {
    const trackedLink = await rows.get(organizationId, id);
    const address = trackedLinkAddress(rows.kind, trackedLink.code, await this.places.find(trackedLink));
    const encoded = query.scan ? `${address}?${SCAN_PARAMETER}` : address;
    return { qrCode: (await image(encoded, query)).toString('base64'), shortUrl: address, link: address };
  }
}

async function image(text: string, query: QrQuery): Promise<Buffer> {
  const errorCorrectionLevel = 'M';
  if (query.format === 'png') return qrPng(create(text, { errorCorrectionLevel }).modules, query);
  const { size: width, margin, darkColor: dark, lightColor: light } = query;
  const options = { errorCorrectionLevel, width, margin, color: { dark, light }, type: 'svg' } as const;
  return Buffer.from(await toString(text, options));
}
