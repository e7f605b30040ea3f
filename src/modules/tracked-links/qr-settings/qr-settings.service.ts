import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Repository } from 'typeorm';
import { AuditLog, changesBetween } from '../../../access/audit/audit-log';
import type { Caller } from '../../../access/caller';
import { ValidationFailed } from '../../../common/errors/errors';
import { Database } from '../../../infrastructure/database/database';
import { lockOrganization } from '../../../infrastructure/database/organization-lock';
import { logoProblem } from './logo';
import type { QrPresetFields, UpdateQrSettingsRequest } from './qr-settings.dto';
import { QrSettings } from './qr-settings.entity';
import type { QrPreset } from './qr-style';

const SAVE = `
  INSERT INTO qr_settings (organization_id, presets, logo) VALUES ($1, $2, $3)
  ON CONFLICT (organization_id) DO UPDATE SET presets = excluded.presets, logo = excluded.logo`;

/** The logo and the presets of an organization's QR codes (docs/concepts/links.md#qr-codes). */
@Injectable()
export class QrSettingsService {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
  ) {}

  get({ organizationId }: Caller): Promise<QrSettings> {
    return find(this.database.repository(QrSettings), organizationId);
  }

  async presets(organizationId: number): Promise<readonly QrPreset[]> {
    return (await this.database.repository(QrSettings).findOneBy({ organizationId }))?.presets ?? [];
  }

  async logo(organizationId: number): Promise<Buffer | null> {
    return (await find(this.database.repository(QrSettings), organizationId)).logo;
  }

  /** @throws ValidationFailed */
  async update(caller: Caller, { presets, logo }: UpdateQrSettingsRequest): Promise<QrSettings> {
    const { organizationId } = caller;
    const sentPresets = presets && checkedPresets(presets);
    const sentLogo = typeof logo === 'string' ? checkedLogo(logo) : logo;
    return this.database.write(async (tx) => {
      await lockOrganization(tx, 'organization', organizationId);
      const before = await find(tx.repository(QrSettings), organizationId);
      const after = {
        organizationId,
        presets: sentPresets ?? before.presets,
        logo: sentLogo === undefined ? before.logo : sentLogo,
      };
      const changes = changesBetween(audited(before), audited(after));
      if (Object.keys(changes).length === 0) return before;
      await tx.execute(SAVE, [organizationId, JSON.stringify(after.presets), after.logo]);
      await this.audit.record(tx, caller, {
        action: 'qr_settings.update',
        resourceType: 'qr_settings',
        resourceId: organizationId,
        changes,
      });
      return after;
    });
  }
}

async function find(rows: Repository<QrSettings>, organizationId: number): Promise<QrSettings> {
  const select = { organizationId: true, presets: true, logo: true };
  const found = await rows.findOne({ where: { organizationId }, select });
  return found ?? { organizationId, presets: [], logo: null };
}

/** The settings in the audit log, which has the hash of the logo. */
function audited({ presets, logo }: QrSettings): { presets: QrPreset[]; logo: string | null } {
  return { presets, logo: logo && createHash('sha256').update(logo).digest('hex') };
}

/** The form in which names are compared. */
export function nameKey(name: string): string {
  return name.trim().toLowerCase();
}

function checkedPresets(presets: readonly QrPresetFields[]): QrPreset[] {
  const names = new Set<string>();
  let hasDefault = false;
  return presets.map((preset, i) => {
    const { shape, margin, darkColor, lightColor, logo, isDefault } = preset;
    const name = preset.name.trim();
    if (names.has(nameKey(name)))
      throw ValidationFailed.field(`presets[${i}].name`, 'already belongs to another preset');
    if (hasDefault && isDefault)
      throw ValidationFailed.field(`presets[${i}].isDefault`, 'already belongs to another preset');
    names.add(nameKey(name));
    hasDefault ||= isDefault;
    return { name, shape, margin, darkColor, lightColor, logo, isDefault };
  });
}

function checkedLogo(base64: string): Buffer {
  const png = Buffer.from(base64, 'base64');
  const problem = logoProblem(png);
  if (problem) throw ValidationFailed.field('logo', problem);
  return png;
}
