import busboy from 'busboy';
import type { Response } from 'express';
import { UnsupportedMediaType } from '../../../common/errors/errors';
import type { ApiRequest } from '../../../common/http/api-request';
import { readBytes } from '../../../common/http/read-body';

const MAX_BYTES = 16 * 1024;
const MULTIPART = 'multipart/form-data';
const URL_ENCODED = ['', 'application/x-www-form-urlencoded'];
const LIMITS = { fields: 20, parts: 20, fieldNameSize: 100, fieldSize: 1024, headerPairs: 20 };

export interface OptOutForm {
  readonly fields: URLSearchParams;
  /** Whether a mail program sent it on behalf of its user (RFC 8058). */
  readonly isOneClick: boolean;
}

/**
 * Reads a form of the page, or a one-click request. Mail programs send the latter in various ways: in both encodings of
 * forms, with another type or none, and without a body.
 * @throws UnsupportedMediaType, PayloadTooLarge, MalformedJson
 */
export async function readOptOutForm(request: ApiRequest, response: Response): Promise<OptOutForm> {
  const body = await readBytes(request, response, MAX_BYTES);
  const header = request.headers['content-type'] ?? '';
  const [type = ''] = header.toLowerCase().split(';', 1);
  const fields = await fieldsIn(body, header, type.trim());
  const isOneClick = !fields.has('action') && saysOneClick(body.toString('latin1').toLowerCase());
  if (!isOneClick && type.trim() !== MULTIPART && !URL_ENCODED.includes(type.trim())) {
    throw new UnsupportedMediaType(`Content-Type must be ${URL_ENCODED[1]} or ${MULTIPART}`);
  }
  return { fields, isOneClick };
}

function saysOneClick(body: string): boolean {
  return body.trim() === '' || (body.includes('list-unsubscribe') && body.includes('one-click'));
}

async function fieldsIn(body: Buffer, header: string, type: string): Promise<URLSearchParams> {
  if (URL_ENCODED.includes(type)) return new URLSearchParams(body.toString());
  const fields = new URLSearchParams();
  if (type !== MULTIPART) return fields;
  await new Promise<void>((resolve) => {
    try {
      const parser = busboy({ headers: { 'content-type': header }, limits: LIMITS });
      parser
        .on('field', (name, value) => fields.append(name, value))
        .on('file', (_name, file) => file.resume())
        // A truncated form has the fields before the truncation.
        .on('error', () => resolve())
        .on('close', () => resolve())
        .end(body);
    } catch {
      // Without a boundary, there are no fields.
      resolve();
    }
  });
  return fields;
}
