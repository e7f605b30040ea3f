import { PNG } from 'pngjs';
import { create } from 'qrcode';
import { createCampaign } from '../support/campaigns';
import { eventually } from '../support/eventually';
import { auditLog, createOrganization } from '../support/factories';
import { codeOf, createApp, createDomain, createLink, SHORT_ORIGIN, VALID_LINK } from '../support/links';
import { logoOf, readQr } from '../support/qr-images';
import { perSuite, useTestApp } from '../support/test-app';
import { visit } from '../support/visits';

const decoded = (base64: string) => PNG.sync.read(Buffer.from(base64, 'base64'));

const read = (base64: string) => readQr(Buffer.from(base64, 'base64'));

/** The colour of a pixel as `rrggbbaa`. */
const colorAt = ({ data, width }: PNG, x: number, y: number) =>
  data.toString('hex', (y * width + x) * 4, (y * width + x + 1) * 4);

/** Compares the centre of every module, quiet zone included, with the expected code. */
function expectCode(png: PNG, text: string, margin: number): void {
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  const across = modules.size + 2 * margin;
  const inside = (i: number) => i >= 0 && i < modules.size;
  for (let row = -margin; row < modules.size + margin; row++) {
    for (let column = -margin; column < modules.size + margin; column++) {
      const pixel = (i: number) => Math.floor(((i + margin + 0.5) * png.width) / across);
      const dark = inside(row) && inside(column) && modules.get(row, column) === 1;
      if ((colorAt(png, pixel(column), pixel(row)) === '000000ff') !== dark)
        throw new Error(`Module ${row}, ${column} is wrong`);
    }
  }
}

describe('QR codes', () => {
  const app = useTestApp();
  const org = perSuite(() => createOrganization(app));
  const link = perSuite(() => createLink(org));

  const qr = (query: Record<string, unknown> = {}, id = link.id) =>
    org.api.get(`/api/v1/service/urls/${id}/qr`, query);

  const scanned = ({ shortUrl }: { shortUrl: string }) => `${shortUrl}?qr=1`;

  it('is a PNG of 512 pixels with four modules of quiet zone, black on white', async () => {
    const { body } = await qr().expect(200);
    expect(Object.keys(body).sort()).toEqual(['link', 'qrCode', 'shortUrl']);
    expect(body.shortUrl).toBe(link.shortUrl);
    const png = decoded(body.qrCode);
    expect(png).toMatchObject({ width: 512, height: 512 });
    expect(colorAt(png, 0, 0)).toBe('ffffffff');
    expectCode(png, scanned(link), 4);
  });

  it.each([128, 129, 333, 1000, 2048])('is exactly %i pixels wide', async (size) => {
    const png = decoded((await qr({ size }).expect(200)).body.qrCode);
    expect(png).toMatchObject({ width: size, height: size });
    expectCode(png, scanned(link), 4);
  });

  it.each([0, 1, 16])('has a quiet zone of %i modules', async (margin) => {
    expectCode(decoded((await qr({ margin }).expect(200)).body.qrCode), scanned(link), margin);
  });

  it('encodes the address alone on request', async () => {
    expectCode(decoded((await qr({ scan: false }).expect(200)).body.qrCode), link.shortUrl, 4);
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
    const png = decoded((await qr({ ...colors, margin: 0 }).expect(200)).body.qrCode);
    expect([colorAt(png, 0, 0), colorAt(png, 30, 30)]).toEqual(['1a2b3cff', 'ffffff00']);
  });

  it('is an SVG on request', async () => {
    const { body } = await qr({ format: 'svg', darkColor: '#ff0000' }).expect(200);
    const svg = Buffer.from(body.qrCode, 'base64').toString();
    expect(svg).toMatch(/^<svg [^>]*width="512"/);
    expect(svg).toContain('#ff0000');
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

  describe('with a logo and presets', () => {
    const SETTINGS = '/api/v1/service/qr-settings';
    const LOGO = logoOf(300, 200);
    const POSTERS = {
      name: 'Posters',
      shape: 'dots',
      margin: 2,
      darkColor: '#1a56db',
      lightColor: '#fff8e1',
      logo: true,
      isDefault: false,
    };
    const save = (body: object) => org.api.put(SETTINGS, body);
    const refused = async (body: object) =>
      (await save(body).expect(400)).body.details as { field: string; message: string }[];

    beforeAll(async () => {
      await save({ logo: LOGO, presets: [POSTERS] }).expect(200);
    });

    it.each(['square', 'rounded', 'dots'])('can be read with modules of shape %s', async (shape) => {
      for (const logo of [false, true]) {
        for (const size of logo ? [200, 512, 2048] : [128, 200, 512, 2048]) {
          const { body } = await qr({ shape, logo, size }).expect(200);
          expect([logo, size, read(body.qrCode)]).toEqual([logo, size, scanned(link)]);
        }
      }
    });

    it('is refused a logo where it would be too small to be read', async () => {
      const { body } = await qr({ logo: true, size: 199 }).expect(400);
      expect(body.details).toEqual([{ field: 'size', message: 'must be at least 200 with a logo' }]);
    });

    it.each([
      [400, 100],
      [60, 400],
      [1, 1],
      [512, 512],
    ])('can be read with a logo of %i × %i pixels, in colours', async (width, height) => {
      await save({ logo: logoOf(width, height) }).expect(200);
      const colors = { darkColor: '#5b21b6', lightColor: '#fef3c7' };
      const { body } = await qr({ logo: true, shape: 'rounded', ...colors }).expect(200);
      expect(read(body.qrCode)).toBe(scanned(link));
      const png = decoded(body.qrCode);
      expect(colorAt(png, 256, 256)).toBe('d0103aff');
      expect(png.width).toBe(512);
      await save({ logo: LOGO }).expect(200);
    });

    it('applies a preset by its name, under other parameters', async () => {
      const svg = async (query: object) =>
        Buffer.from((await qr({ format: 'svg', ...query }).expect(200)).body.qrCode, 'base64').toString();
      const preset = await svg({ preset: 'posters' });
      for (const part of ['#1a56db', '#fff8e1', 'a.5.5', `base64,${LOGO}`]) expect(preset).toContain(part);
      expect(
        await svg({ shape: 'dots', margin: 2, darkColor: '1a56db', lightColor: 'fff8e1', logo: true }),
      ).toBe(preset);
      const changed = await svg({ preset: 'Posters', logo: false, shape: 'square', darkColor: '#000000' });
      for (const part of ['#1a56db', 'a.5.5', 'base64']) expect(changed).not.toContain(part);
      expect(changed).toContain('#fff8e1');
      const plain = await svg({});
      await save({ presets: [{ ...POSTERS, isDefault: true }] }).expect(200);
      expect(await svg({})).toBe(preset);
      const { id } = await createCampaign(org);
      const { body } = await org.api.get(`/api/v1/service/campaigns/${id}/qr`).expect(200);
      expect(read(body.qrCode)).toBe(`${body.link}?qr=1`);
      expect(colorAt(decoded(body.qrCode), 0, 0)).toBe('fff8e1ff');
      await save({ logo: null }).expect(200);
      expect(await svg({})).not.toContain('base64');
      expect((await qr({ logo: true }).expect(400)).body.details).toMatchObject([{ field: 'logo' }]);
      await save({ logo: LOGO, presets: [POSTERS] }).expect(200);
      expect(await svg({})).toBe(plain);
    });

    it('are those of the organization', async () => {
      const other = await createOrganization(app);
      expect((await other.api.get(SETTINGS).expect(200)).body).toEqual({ presets: [], logo: null });
      const { id } = await createLink(other);
      const path = `/api/v1/service/urls/${id}/qr`;
      for (const [field, value] of [
        ['preset', 'Posters'],
        ['logo', true],
      ] as const) {
        const { body } = await other.api.get(path, { [field]: value }).expect(400);
        expect(body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field }] });
      }
      await other.api.put(SETTINGS, { presets: [{ name: 'Posters' }] }).expect(200);
      expect((await org.api.get(SETTINGS).expect(200)).body).toEqual({ presets: [POSTERS], logo: LOGO });
    });

    it('are changed by field, recorded without the image, and refused after a change of somebody else', async () => {
      const own = await createOrganization(app);
      const before = await own.api.get(SETTINGS).expect(200);
      const preset = { name: '  Flyers ', shape: 'rounded' };
      const stored = {
        ...POSTERS,
        ...{ name: 'Flyers', shape: 'rounded', margin: 4, logo: false },
        ...{ darkColor: '#000000', lightColor: '#ffffff' },
      };
      for (const ETag of [before.get('ETag') ?? '', '*'])
        expect(
          (
            await own.api
              .put(SETTINGS, { presets: [preset] })
              .set('If-Match', ETag)
              .expect(200)
          ).body,
        ).toEqual({ presets: [stored], logo: null });
      await own.api
        .put(SETTINGS, { presets: [] })
        .set('If-Match', before.get('ETag') ?? '')
        .expect(409);
      await own.api.put(SETTINGS, { logo: LOGO, presets: null }).expect(200);
      expect((await own.api.get(SETTINGS).expect(200)).body).toEqual({ presets: [stored], logo: LOGO });
      expect(await auditLog(app, own, { resourceType: 'qr_settings' })).toMatchObject([
        {
          action: 'qr_settings.update',
          changes: { logo: { from: null, to: expect.stringMatching(/^\w{64}$/) } },
        },
        { changes: { presets: { from: [], to: [stored] } } },
      ]);
    });

    const png = Buffer.from(LOGO, 'base64');
    const changed = (at: number, byte: number) =>
      Buffer.concat([png.subarray(0, at), Buffer.of(byte), png.subarray(at + 1)]);
    it.each([
      ['text', Buffer.from('logo'), 'must be a PNG in Base64'],
      ['a JPEG', Buffer.from('ffd8ffe000104a464946', 'hex'), 'must be a PNG in Base64'],
      [
        'more bytes than allowed',
        Buffer.concat([png, Buffer.alloc(262_145 - png.length)]),
        'must be at most 256 KiB',
      ],
      [
        'a part of a PNG',
        png.subarray(0, png.length - 20),
        'must be a PNG that is complete, without anything behind it',
      ],
      [
        'a picture that is too wide',
        Buffer.from(logoOf(5000, 1), 'base64'),
        'must be at most 512 × 512 pixels',
      ],
      ['an interlaced picture', changed(28, 1), 'must be a PNG that is not interlaced'],
      ['a broken picture', changed(60, 0xff), 'must be a PNG that can be decoded'],
    ])('refuses %s as a logo', async (_, bytes, message) => {
      expect(await refused({ logo: bytes.toString('base64') })).toEqual([{ field: 'logo', message }]);
    });

    it.each([
      ['logo', { logo: 'data:image/png;base64,AAAA' }],
      ['presets[1].name', { presets: [POSTERS, { name: 'posters ' }] }],
      ['presets[0].name', { presets: [{ shape: 'dots' }] }],
      ['presets[0].shape', { presets: [{ name: 'A', shape: 'stars' }] }],
      ['presets[0].darkColor', { presets: [{ name: 'A', darkColor: 'red' }] }],
      ['presets[1].isDefault', { presets: ['A', 'B'].map((name) => ({ name, isDefault: true })) }],
    ])('refuses %s by name', async (field, body) => {
      expect(await refused(body)).toMatchObject([{ field }]);
    });
  });
});
