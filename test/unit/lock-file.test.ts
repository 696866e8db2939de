import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { expect, it } from 'vitest';

/** Oldest major of Node that may install the project; it brings its own to run. */
const oldest = 20;

interface Locked {
  optional?: boolean;
  engines?: { node?: string };
  resolved?: string;
}

const { packages } = JSON.parse(fs.readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, Locked>;
};

/*
 * npm leaves out an optional package, such as a compiled part, whose `engines` does not like the Node that installs,
 * although another runs it. Where only that stands in the way (`@lingui/native-tools-*`), the entry has no `engines`.
 */
it('names no optional package that the oldest Node would leave out', () => {
  const refused = Object.entries(packages).filter(
    ([, { optional, engines }]) => optional && /^>=\s*(\d+)/.exec(engines?.node ?? '')?.[1],
  );
  const tooNew = refused.filter(([, { engines }]) => Number(/\d+/.exec(engines?.node ?? '')?.[0]) > oldest);
  expect(tooNew.map(([name]) => name)).toEqual([]);
});

it('names no registry host', () => {
  expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
});

it('is a bill of materials with the version and the hash of everything', () => {
  const { components, bomFormat } = JSON.parse(
    execFileSync('npm', ['run', '--silent', 'sbom'], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }),
  ) as { bomFormat: string; components: { name: string; version: string; hashes?: unknown[] }[] };
  expect(bomFormat).toBe('CycloneDX');
  expect(components.filter(({ hashes }) => !hashes?.length).map(({ name }) => name)).toEqual([]);
  const { dependencies } = JSON.parse(fs.readFileSync('package.json', 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const listed = new Set(components.map(({ name, version }) => `${name}@${version}`));
  const own = Object.entries(dependencies).map(([name, version]) => `${name}@${version}`);
  expect(own.filter((name) => !listed.has(name))).toEqual([]);
});
