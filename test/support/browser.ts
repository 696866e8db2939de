import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** Debian's browser, or the one that is named: nothing is downloaded for the tests. */
const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
export const hasBrowser = existsSync(executablePath);

export const projectDir = path.resolve(import.meta.dirname, '../..');

/** A browser that talks to nobody by itself. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}

/** What `npm start` builds for the browser, built unless it is current. */
export function buildWebClient(): void {
  const script = path.join(projectDir, 'server', 'prepare.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script, '--dev', '--dashboard'], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
}

export interface HostPage {
  url: string;
  close(): Promise<void>;
}

/** Somebody's web site, on an origin of its own, with its policy. */
export function servePage(html: () => string, policy: () => string): Promise<HostPage> {
  const server = createServer((request, response) => {
    if (request.url === '/favicon.ico') return void response.writeHead(204).end();
    response.writeHead(200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy(),
    });
    response.end(html());
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      resolve({
        url: `http://127.0.0.1:${port}`,
        close: () => {
          server.closeAllConnections();
          return new Promise((done) => server.close(() => done()));
        },
      });
    });
  });
}
