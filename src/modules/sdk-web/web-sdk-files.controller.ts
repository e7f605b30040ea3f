import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../access/access.decorator';
import { NotFound } from '../../common/errors/errors';
import { type Coding, WebSdkFiles } from './web-sdk-files';

/** In order of preference, the smaller one first. */
const CODINGS: readonly Coding[] = ['br', 'gzip'];
/** Versions are immutable, unlike `latest`. */
const FOR_GOOD = 'public, max-age=31536000, immutable';
const FOR_A_WHILE = 'public, max-age=300';

/** The browser SDK's script, for pages of any site. */
@ApiExcludeController()
@Controller('sdk/web/:version')
@Public('the browser SDK: pages of any site load it')
export class WebSdkFilesController {
  constructor(private readonly files: WebSdkFiles) {}

  @Get(':file')
  send(
    @Param('version') version: string,
    @Param('file') name: string,
    @Req() request: Request,
    @Res() response: Response,
  ): void {
    const file = this.files.find(version, name);
    if (!file) throw new NotFound('Version or file of the Web SDK');
    const accepted = request.acceptsEncodings();
    const coding = CODINGS.find((each) => accepted.includes(each)) ?? 'identity';
    response.set({
      'Content-Type': file.type,
      'Cache-Control': version === 'latest' ? FOR_A_WHILE : FOR_GOOD,
      'Cross-Origin-Resource-Policy': 'cross-origin',
      ETag: `"${file.tag}${coding === 'identity' ? '' : `-${coding}`}"`,
      Vary: 'Accept-Encoding',
    });
    if (request.fresh) {
      response.status(304).end();
      return;
    }
    if (coding !== 'identity') response.set('Content-Encoding', coding);
    // `send` would compute another ETag and change the content type.
    response.set('Content-Length', String(file.bytes[coding].length));
    response.end(request.method === 'HEAD' ? undefined : file.bytes[coding]);
  }
}
