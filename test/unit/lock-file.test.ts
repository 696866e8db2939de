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
