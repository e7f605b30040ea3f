import { inflateSync } from 'node:zlib';
import { create } from 'qrcode';
import { createCampaign } from '../support/campaigns';
import { eventually } from '../support/eventually';
import { createOrganization, type TestOrganization } from '../support/factories';
import { codeOf, createApp, createDomain, createLink, SHORT_ORIGIN, VALID_LINK } from '../support/links';
import { useTestApp } from '../support/test-app';
import { visit } from '../support/visits';

interface Png {
  width: number;
  height: number;
  /** Light and dark colour, as `rrggbbaa`. */
  palette: string[];
  isDark(x: number, y: number): boolean;
}

/** Decodes a PNG with one bit per pixel, a palette and no line filter; throws on anything else. */
function decodePng(base64: string): Png {
  const bytes = Buffer.from(base64, 'base64');
  expect(bytes.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < bytes.length;) {
    const length = bytes.readUInt32BE(at);
    chunks.set(bytes.toString('latin1', at + 4, at + 8), bytes.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const chunk = (type: string) => chunks.get(type) ?? Buffer.alloc(0);
  const header = chunk('IHDR');
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  expect([...header.subarray(8)]).toEqual([1, 3, 0, 0, 0]);
  const palette = [0, 1].map(
    (i) => chunk('PLTE').toString('hex', 3 * i, 3 * i + 3) + chunk('tRNS').toString('hex', i, i + 1),
  );
  const pixels = inflateSync(chunk('IDAT'));
  const line = 1 + Math.ceil(width / 8);
  expect(pixels).toHaveLength(line * height);
  const isDark = (x: number, y: number) =>
    (pixels.readUInt8(y * line + 1 + (x >> 3)) & (0x80 >> (x & 7))) !== 0;
  return { width, height, palette, isDark };
}

/** Compares the centre of every module, quiet zone included, with the expected code. */
function expectCode(png: Png, text: string, margin: number): void {
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  const across = modules.size + 2 * margin;
  const inside = (i: number) => i >= 0 && i < modules.size;
  for (let row = -margin; row < modules.size + margin; row++) {
    for (let column = -margin; column < modules.size + margin; column++) {
      const pixel = (i: number) => Math.floor(((i + margin + 0.5) * png.width) / across);
      const dark = inside(row) && inside(column) && modules.get(row, column) === 1;
      if (png.isDark(pixel(column), pixel(row)) !== dark)
        throw new Error(`Module ${row}, ${column} is wrong`);
    }
  }
}

describe('QR codes', () => {
  const app = useTestApp();
  let org: TestOrganization;
  let link: { id: number; shortUrl: string };

  beforeAll(async () => {
    org = await createOrganization(app);
    link = await createLink(org);
  });

  const qr = (query: Record<string, unknown> = {}, id = link.id) =>
    org.api.get(`/api/v1/service/urls/${id}/qr`, query);

  const scanned = ({ shortUrl }: { shortUrl: string }) => `${shortUrl}?qr=1`;

  it('is a PNG of 512 pixels with four modules of quiet zone, black on white', async () => {
    const { body } = await qr().expect(200);
    expect(Object.keys(body).sort()).toEqual(['link', 'qrCode', 'shortUrl']);
    expect(body.shortUrl).toBe(link.shortUrl);
    const png = decodePng(body.qrCode);
    expect(png).toMatchObject({ width: 512, height: 512, palette: ['ffffffff', '000000ff'] });
    expectCode(png, scanned(link), 4);
  });

  it.each([128, 129, 333, 1000, 2048])('is exactly %i pixels wide', async (size) => {
    const png = decodePng((await qr({ size }).expect(200)).body.qrCode);
    expect(png).toMatchObject({ width: size, height: size });
    expectCode(png, scanned(link), 4);
  });

  it.each([0, 1, 16])('has a quiet zone of %i modules', async (margin) => {
    expectCode(decodePng((await qr({ margin }).expect(200)).body.qrCode), scanned(link), margin);
  });

  it('encodes the address alone on request', async () => {
    expectCode(decodePng((await qr({ scan: false }).expect(200)).body.qrCode), link.shortUrl, 4);
  });

  it('makes scans a channel, by a parameter that is not passed on', async () => {
    const { id, shortUrl } = await createLink(org);
    const campaign = await createCampaign(org, { alias: `scan-${org.organizationId}` });
    const path = new URL(shortUrl).pathname;
    const campaignPath = `/c/${campaign.alias}`;
    for (const [address, passedOn] of [
      [`${path}?qr=1`, ''],
      [`${path}?a=2&qr=1&b=`, '?a=2&b='],
      [`${path}?qr=2`, '?qr=2'],
      [`${path}?qr=10`, '?qr=10'],
      [`${campaignPath}?qr=1`, ''],
      [`${campaignPath}/poster?qr=1`, ''],
    ] as const) {
      const { headers } = await visit(app, address).expect(302);
      expect(headers.location).toBe(VALID_LINK.url + passedOn);
    }
    const trackers = async (at: string) =>
      (await org.api.get(`/api/v1/service/${at}/clicks`).expect(200)).body.items
        .map(({ tracker }: { tracker: string | null }) => tracker)
        .reverse();
    await eventually(async () => expect(await trackers(`urls/${id}`)).toEqual(['qr', 'qr', null, null]));
    await eventually(async () =>
      expect(await trackers(`campaigns/${campaign.id}`)).toEqual(['qr', 'poster']),
    );
    const clicks = await org.api.get('/api/v1/service/analytics/clicks', { groupBy: 'channel', link: id });
    expect(clicks.body.groups).toMatchObject([
      { key: '(none)', value: 2 },
      { key: 'qr', value: 2 },
    ]);
  });

  it('accepts colours, with and without opacity', async () => {
    const colors = { darkColor: '#1A2b3c', lightColor: 'ffffff00' };
    const { palette } = decodePng((await qr(colors).expect(200)).body.qrCode);
    expect(palette).toEqual(['ffffff00', '1a2b3cff']);
  });

  it('is an SVG on request', async () => {
    const { body } = await qr({ format: 'svg', darkColor: '#ff0000' }).expect(200);
    const svg = Buffer.from(body.qrCode, 'base64').toString();
    expect(svg).toMatch(/^<svg [^>]*width="512"/);
    expect(svg).toContain('#ff0000');
  });

  it.each([
    ['darkColor', '#12345'],
    ['lightColor', '#ffffff"/><script>'],
    ['lightColor', '#fffffff'],
  ])('refuses %s=%s by name', async (field, value) => {
    const { body } = await qr({ [field]: value }).expect(400);
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field }] });
  });

  it('encodes the complete URL with custom domain and app namespace', async () => {
    const customDomainId = await createDomain(app, org, 'qr.example', 'ACTIVE');
    const custom = await createLink(org, { customDomainId });
    expect((await qr({}, custom.id)).body.shortUrl).toBe(`https://qr.example/${codeOf(custom)}`);
    const androidAppId = await createApp(app, org, 'Android', 'qr-app');
    const tied = await createLink(org, { androidAppId });
    expect((await qr({}, tied.id)).body.shortUrl).toBe(`${SHORT_ORIGIN}/qr-app/${codeOf(tied)}`);
    const both = await createLink(org, { androidAppId, customDomainId });
    expect((await qr({}, both.id)).body.shortUrl).toBe(`https://qr.example/qr-app/${codeOf(both)}`);
  });
});
