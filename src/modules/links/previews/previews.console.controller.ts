import { Get, Param, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Access } from '../../../access/access.decorator';
import { Caller } from '../../../access/caller';
import { OrganizationPath } from '../../../access/organization-path.dto';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
import { DestinationPreviews } from './destination-previews';
import { IMAGE_TYPES } from './image-type';
import { ImageQuery, LinkPreviewQuery, LinkPreviewResponse } from './previews.dto';
import { ConsoleController } from '../../../access/service-controller';

const content = Object.fromEntries(
  IMAGE_TYPES.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
);

/** Previews of destinations for the console, whose Content-Security-Policy allows requests to this service only. */
@ConsoleController('', 'Console: links')
@Access({ key: 'console', role: 'EDITOR' })
export class PreviewsConsoleController {
  constructor(private readonly previews: DestinationPreviews) {}

  @Get('link-preview')
  @ApiEndpoint({
    operationId: 'previewLink',
    summary: 'Preview a destination',
    description:
      'Reads the title, description, image, site name and icon that a page declares: at most 512 KiB within 5 s and ' +
      'over 3 redirects. All are null for what is no HTML page, and while OG_FETCH is false. An organization has 300 ' +
      'previews and images a minute.',
    response: { type: LinkPreviewResponse, description: 'What the page declares' },
    errors: ['DESTINATION_NOT_ALLOWED', 'DESTINATION_UNREACHABLE'],
  })
  previewLink(
    @Caller() caller: Caller,
    @Param() _path: OrganizationPath,
    @Query() { url }: LinkPreviewQuery,
  ): Promise<LinkPreviewResponse> {
    return this.previews.preview(caller, url);
  }

  @Get('images')
  @ApiEndpoint({
    operationId: 'getImage',
    summary: 'Get an image of a preview',
    description:
      'Fetches a PNG, JPEG, WebP, GIF or ICO image of at most 2 MiB within 5 s and over 3 redirects. The format is ' +
      'recognized by the content; anything else, such as SVG, is IMAGE_NOT_USABLE. Without OG_FETCH, it is ' +
      'DESTINATION_UNREACHABLE.',
    response: { content, description: 'The image' },
    errors: ['DESTINATION_NOT_ALLOWED', 'DESTINATION_UNREACHABLE', 'IMAGE_NOT_USABLE'],
  })
  async getImage(
    @Caller() caller: Caller,
    @Param() _path: OrganizationPath,
    @Query() { url }: ImageQuery,
    @Res() response: Response,
  ): Promise<void> {
    const { type, bytes } = await this.previews.image(caller, url);
    response
      .set({
        'Content-Type': type,
        'Cache-Control': 'private, max-age=3600',
        'Content-Security-Policy': `default-src 'none'; sandbox`,
        'X-Content-Type-Options': 'nosniff',
      })
      .send(bytes);
  }
}
