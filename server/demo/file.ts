import fs from 'node:fs';
import path from 'node:path';
import type { Config } from '../platform/config.ts';

export interface DemoLogin {
  email: string;
  name: string;
  password: string;
  role: 'owner' | 'admin' | 'agent';
}

/**
 * What is known of the demo company, in `DATA_DIR/demo.json`. It is written before the company is made, so a start
 * that was cut off is taken up again; the keys' plain text stands here and nowhere else.
 */
export interface DemoFile {
  company: { id: string; name: string };
  /** The demo's "now": its conversations end here. */
  startedAt: string;
  logins: DemoLogin[];
  owner?: string;
  agents?: { id: string; email: string; name: string }[];
  keys?: { live?: string; test?: string };
  complete: boolean;
}

/** The file, or null where there is none or it can't be read. */
export function readDemoFile(config: Pick<Config, 'dataDir'>): DemoFile | null {
  try {
    return JSON.parse(fs.readFileSync(pathOf(config), 'utf8')) as DemoFile;
  } catch {
    return null;
  }
}

/** Replaces the file as a whole, readable by its owner only. */
export function writeDemoFile(config: Pick<Config, 'dataDir'>, content: DemoFile): void {
  const file = pathOf(config);
  fs.mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  fs.writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  fs.renameSync(draft, file);
}

function pathOf({ dataDir }: Pick<Config, 'dataDir'>): string {
  return path.join(dataDir, 'demo.json');
}
