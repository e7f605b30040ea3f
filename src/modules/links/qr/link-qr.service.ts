import { Injectable } from '@nestjs/common';
import { create, toString } from 'qrcode';
import type { Caller } from '../../../access/caller';
import { trackedLinkAddress } from '../../tracked-links/tracked-link-address';
import { TrackedLinkPlaces } from '../../tracked-links/tracked-link-places';
import type { QrQuery, QrResponse } from './link-qr.dto';
import { LinksRepository } from '../links.repository';
import { qrPng } from './qr-png';

/** QR codes of links (docs/concepts/links.md#qr-codes). */
@Injectable()
export class LinkQrService {
  constructor(
    private readonly links: LinksRepository,
    private readonly places: TrackedLinkPlaces,
  ) {}

  /** @throws NotFound */
  async draw(caller: Caller, id: number, query: QrQuery): Promise<QrResponse> {
    const link = await this.links.get(caller.organizationId, id);
    const address = trackedLinkAddress('link', link.code, await this.places.find(link));
    return { qrCode: (await image(address, query)).toString('base64'), shortUrl: address, link: address };
  }
}

async function image(text: string, query: QrQuery): Promise<Buffer> {
  const errorCorrectionLevel = 'M';
  if (query.format === 'png') return qrPng(create(text, { errorCorrectionLevel }).modules, query);
  const { size: width, margin, darkColor: dark, lightColor: light } = query;
  const options = { errorCorrectionLevel, width, margin, color: { dark, light }, type: 'svg' } as const;
  return Buffer.from(await toString(text, options));
}
