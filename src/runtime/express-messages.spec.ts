import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import request from 'supertest';
import { expressMessages } from './express-messages';

describe('expressMessages', () => {
  let server: Server;
  const changed: boolean[] = [];

  beforeAll(async () => {
    const app = express();
    app.get('/things', (req, res) => void res.status(201).json({ ip: req.ip, accepts: req.accepts('json') }));
    server = createServer(expressMessages(app), (req, res) => {
      const before = [req, res].map((message) => Object.getPrototypeOf(message) as unknown);
      app(req, res);
      changed.push([req, res].some((message, i) => Object.getPrototypeOf(message) !== before[i]));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  });

  afterAll(() => new Promise((done) => server.close(done)));

  it('already have the prototypes that Express would set, so that it changes none', async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const answer = await request(url).get('/things').expect(201);
    expect(answer.body).toEqual({ ip: '127.0.0.1', accepts: 'json' });
    await request(url).get('/nothing').expect(404);
    expect(changed).toEqual([false, false]);
  });
});
