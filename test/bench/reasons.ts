import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Why a goal is missed, and the profile that shows it. */
interface Reason {
  /** The operation, or what the names of several begin with. */
  of: string;
  text: string;
  /** Path from the folder of the results. */
  profile: string;
}

/** A line of a profile that tells of an operation: `- **name**: why`. */
const line = /^- \*\*(.+?)\*\*: (.+)$/gm;

/** What the profiles beside the results say of operations. */
export function readReasons(folder: string): Reason[] {
  const profiles = path.join(folder, 'profiles');
  if (!existsSync(profiles)) return [];
  return readdirSync(profiles)
    .filter((name) => name.endsWith('.md'))
    .flatMap((name) =>
      [...readFileSync(path.join(profiles, name), 'utf8').matchAll(line)].map(
        ([, of = '', text = '']): Reason => ({ of, text, profile: `profiles/${name}` }),
      ),
    );
}

/** The one of this operation, else the one with the longest name that its own begins with. */
export function reasonFor(name: string, reasons: readonly Reason[]): Reason | undefined {
  return reasons
    .filter(({ of }) => name.startsWith(of))
    .toSorted((a, b) => b.of.length - a.of.length)
    .at(0);
}
