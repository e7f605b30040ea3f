import { Injectable } from '@nestjs/common';
import { suppliedValues } from '../../../access/supplied';
import type { Caller } from '../../../access/caller';
import { ValidationFailed } from '../../../common/errors/errors';
import { SCAN_PARAMETER } from '../../domains/destinations/own-parameters';
import { nameKey, QrSettingsService } from '../qr-settings/qr-settings.service';
import { DEFAULT_STYLE, type QrPreset, type QrStyle } from '../qr-settings/qr-style';
import { trackedLinkAddress } from '../tracked-link-address';
import { TrackedLinkPlaces } from '../tracked-link-places';
import { MIN_SIZE_WITH_LOGO, type QrQuery, type QrResponse } from './qr.dto';
import type { TrackedLinkEntity } from '../tracked-link.entity';
import type { TrackedLinksRepository } from '../tracked-links.repository';
import { layOut } from './qr-layout';
import { qrPng } from './qr-png';
import { qrSvg } from './qr-svg';

const STYLE = ['shape', 'margin', 'darkColor', 'lightColor', 'logo'] as const;

/** QR codes of links and campaigns (docs/concepts/links.md#qr-codes). */
@Injectable()
export class QrService {
  constructor(
    private readonly places: TrackedLinkPlaces,
    private readonly settings: QrSettingsService,
  ) {}

  /** @throws NotFound; ValidationFailed if the organization lacks the preset or the logo, or the code would be too small */
  async draw<T extends TrackedLinkEntity>(
    rows: TrackedLinksRepository<T>,
    { organizationId }: Caller,
    id: number,
    query: QrQuery,
  ): Promise<QrResponse> {
    const trackedLink = await rows.get(organizationId, id);
    const address = trackedLinkAddress(rows.kind, trackedLink.code, await this.places.find(trackedLink));
    const encoded = query.scan ? `${address}?${SCAN_PARAMETER}` : address;
    const style = styleOf(await this.settings.presets(organizationId), query);
    const logo = style.logo ? await this.settings.logo(organizationId) : null;
    if (query.logo && !logo) throw ValidationFailed.field('logo', 'not found');
    if (logo && query.size < MIN_SIZE_WITH_LOGO)
      throw ValidationFailed.field('size', `must be at least ${MIN_SIZE_WITH_LOGO} with a logo`);
    const layout = layOut(encoded, style.shape, logo !== null);
    const drawing = { ...style, size: query.size, logo };
    const image = query.format === 'png' ? await qrPng(layout, drawing) : Buffer.from(qrSvg(layout, drawing));
    return { qrCode: image.toString('base64'), shortUrl: address, link: address };
  }
}

function styleOf(presets: readonly QrPreset[], query: QrQuery): QrStyle {
  const { preset: name } = query;
  const preset = name
    ? presets.find((each) => nameKey(each.name) === nameKey(name))
    : presets.find(({ isDefault }) => isDefault);
  if (name && !preset) throw ValidationFailed.field('preset', 'not found');
  return { ...DEFAULT_STYLE, ...preset, ...suppliedValues(query, STYLE) };
}
