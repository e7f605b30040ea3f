import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { OrganizationCache } from '../../access/organizations/organization-cache';
import { withDeadline } from '../../common/deadline';
import { type PageBrand, pageBrand, UNBRANDED } from './brand';
import { type Html, sendHtml } from './html';

/** Limit for loading the brand, after which a page is sent without one. */
const BRAND_TIMEOUT_MS = 1_000;

/** Sends pages to visitors in their language, with the branding of the link's organization. */
@Injectable()
export class VisitorPages {
  constructor(private readonly organizations: OrganizationCache) {}

  /** @param organizationId null: no branding */
  async send(response: ServerResponse, page: Html, organizationId: number | null): Promise<void> {
    const brand = organizationId === null ? UNBRANDED : await this.brandOf(organizationId);
    sendHtml(response, page, brand);
  }

  /** Returns no branding if the stores are down. */
  private async brandOf(organizationId: number): Promise<PageBrand> {
    try {
      const snapshot = await withDeadline(this.organizations.get(organizationId), BRAND_TIMEOUT_MS);
      return snapshot ? pageBrand(snapshot.brand) : UNBRANDED;
    } catch {
      return UNBRANDED;
    }
  }
}
