import { execFileSync } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import request from 'supertest';
import { expressMessages } from './express-messages';

/** Whether V8 gives two requests the same shape after Express has set their prototypes. */
const SHAPES = `
  const http = require('node:http');
  const requests = [];
  const app = require('express')();
  app.get('/', (req, res) => void res.end(requests.push(req) && ''));
  const server = http.createServer(app).listen(0, '127.0.0.1', async () => {
    for (let i = 0; i < 4; i++) await fetch('http://127.0.0.1:' + server.address().port);
    const [first, second] = requests.slice(2);
    process.stdout.write(String(%HaveSameMap(first, second)));
    process.exit();
  });`;

/** Starts an Express application that records whether Express changed the prototypes of each request. */
async function serve({ prepared }: { prepared: boolean }) {
  const app = express();
  app.get('/things', (req, res) => void res.status(201).json({ ip: req.ip, accepts: req.accepts('json') }));
  const prototypesChanged: boolean[] = [];
  const listener = (req: IncomingMessage, res: ServerResponse) => {
    const before = [req, res].map((message) => Object.getPrototypeOf(message) as unknown);
    app(req, res);
    prototypesChanged.push([req, res].some((message, i) => Object.getPrototypeOf(message) !== before[i]));
  };
  const server = prepared ? createServer(expressMessages(app), listener) : createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, prototypesChanged, close: () => new Promise((done) => server.close(done)) };
}

describe('expressMessages', () => {
  it('have the prototypes that Express gives them', async () => {
    const { url, prototypesChanged, close } = await serve({ prepared: true });
    const answer = await request(url).get('/things').expect(201);
    expect(answer.body).toEqual({ ip: '127.0.0.1', accepts: 'json' });
    await request(url).get('/nothing').expect(404);
    expect(prototypesChanged).toEqual([false, false]);
    await close();
  });

  it('are needed as long as Express changes the prototypes of every request', async () => {
    const { url, prototypesChanged, close } = await serve({ prepared: false });
    await request(url).get('/things').expect(201);
    expect(prototypesChanged).toEqual([true]);
    await close();
  });

  it('are needed as long as the oldest supported Node is below 24', () => {
    const answer = execFileSync(process.execPath, ['--allow-natives-syntax', '-e', SHAPES], {
      encoding: 'utf8',
    });
    const changedPrototypesShareShapes = Number(process.versions.node.split('.')[0]) >= 24;
    expect(answer).toBe(String(changedPrototypesShareShapes));
  });
});
