import { describe, expect, it } from 'vitest';
import { application, firstLoad, readManifest, workersLoad } from '../support/bundle.ts';

describe('what a browser loads first, gzip', () => {
  const manifest = readManifest();

  it('is below 250 kB of JavaScript and 30 kB of style for the application, its frame included', () => {
    const { js, css } = firstLoad(application, manifest);
    process.stdout.write(`application: ${js} B JavaScript (limit 250000), ${css} B style (limit 30000)\n`);
    expect(js).toBeLessThan(250_000);
    expect(css).toBeLessThan(30_000);
  });

  it('is below 150 kB of JavaScript for the sign-in page', () => {
    const { js } = firstLoad(['sign-in.html'], manifest);
    process.stdout.write(`sign-in: ${js} B JavaScript (limit 150000)\n`);
    expect(js).toBeLessThan(150_000);
  });

  it('is below 2,200 kB for the GraphQL explorer, with its workers and all that it may load', () => {
    const workers = workersLoad();
    const { js } = firstLoad(['explorer.html'], manifest, true);
    process.stdout.write(`explorer: ${js} B JavaScript and ${workers} B workers (limit 2200000)\n`);
    expect(workers).toBeGreaterThan(0);
    expect(js + workers).toBeLessThan(2_200_000);
  });

  it('is below 60 kB for any other page, 110 kB for the calendar', () => {
    const base = firstLoad(application, manifest).js;
    for (const name of Object.keys(manifest).filter((entry) => entry.endsWith('-page.tsx'))) {
      const { js } = firstLoad([...application, name], manifest);
      expect(js - base, name).toBeLessThan(name.includes('bookings') ? 110_000 : 60_000);
    }
  });
});
