import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { acceptedNames } from '../server/platform/config-variables.ts';
import { freePort } from './support/free-port.ts';
import { createTestDatabase } from './support/postgres.ts';
import { hasRedis, OwnRedis } from './support/redis.ts';
import { startServer } from './support/server.ts';

const read = (file: string) => readFileSync(file, 'utf8');
const packageFacts = JSON.parse(read('package.json')) as {
  dependencies: Record<string, string>;
  config: { nodeFlags: string[]; nodeVariables: Record<string, string> };
};

interface Service {
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: object;
  ports?: string[];
  volumes?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  stop_grace_period?: string;
}
const compose = parse(read('compose.yaml')) as {
  services: Record<string, Service>;
  volumes: Record<string, null>;
};

describe('the Dockerfile', () => {
  const lines = read('Dockerfile')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const stages = lines
    .join('\n')
    .split(/^FROM /m)
    .slice(1);
  const last = stages.at(-1)!.split('\n');
  const words = (line: string) => line.split(' ').slice(1);

  it("builds in one stage and runs in another, on the project's own Node", () => {
    expect(stages).toHaveLength(2);
    for (const stage of stages)
      expect(stage).toMatch(new RegExp(`^node:${packageFacts.dependencies['node']}-`));
  });

  it('copies what is there and what the folder lets through, and needs the install scripts of nobody', () => {
    const ignored = read('.dockerignore').split('\n');
    const copied = lines
      .filter((line) => line.startsWith('COPY ') && !line.includes('--from'))
      .flatMap((line) => words(line).slice(0, -1));
    expect(copied.length).toBeGreaterThan(5);
    for (const name of copied) {
      expect(existsSync(name), name).toBe(true);
      expect(ignored).toContain(`!${name}`);
    }
    const installs = lines.filter((line) => line.includes('npm '));
    expect(installs).toHaveLength(1);
    expect(installs[0]).toContain('npm ci --omit=dev --ignore-scripts');
  });

  it('runs as nobody of rank, with a health check and no secret', () => {
    const user = last.findIndex((line) => line === 'USER node');
    expect(user).toBeGreaterThan(0);
    expect(user).toBeLessThan(last.findIndex((line) => line.startsWith('ENTRYPOINT')));
    const check = last.find((line) => line.startsWith('HEALTHCHECK'))!;
    const [, program] = JSON.parse(check.slice(check.indexOf('['))) as string[];
    expect(existsSync(program!)).toBe(true);
    const command = ['node', ...packageFacts.config.nodeFlags, 'server/main.ts'];
    expect(last).toContain(`ENTRYPOINT ${JSON.stringify(command).replaceAll(',', ', ')}`);
    expect(read('server/deploy/parlour.service')).toContain(`/${command.join(' ')} serve\n`);
    const settings = lines.filter((line) => /^(?:ARG|ENV) /.test(line)).flatMap(words);
    const names = settings.map((setting) => setting.split('=')[0]!);
    const own = names.filter((name) => acceptedNames.includes(name));
    expect(own).toEqual(['HOST', 'PORT', 'DATA_DIR']);
    const memory = Object.entries(packageFacts.config.nodeVariables).map((parts) => parts.join('='));
    expect(settings.filter((setting) => setting.startsWith('MALLOC_'))).toEqual(memory);
    expect(read('server/deploy/parlour.service')).toContain(`\nEnvironment=${memory.join(' ')}\n`);
    const others = names.filter((name) => !own.includes(name) && !name.startsWith('MALLOC_'));
    expect(others).toEqual(['GIT_COMMIT', 'NODE_ENV', 'GIT_COMMIT']);
  });
});

describe('the Compose file', () => {
  const { app } = compose.services;

  it('names services and volumes that it has, and waits for those that say when they are well', () => {
    for (const { depends_on: needs = {}, volumes = [] } of Object.values(compose.services)) {
      for (const [name, { condition }] of Object.entries(needs)) {
        expect(compose.services[name]?.healthcheck, name).toBeDefined();
        expect(condition).toBe('service_healthy');
      }
      for (const volume of volumes) expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0]);
    }
  });

  it('sets what the server knows, has no secret of its own, and opens the loopback interface alone', () => {
    expect(Object.keys(app!.environment!).filter((name) => !acceptedNames.includes(name))).toEqual([]);
    for (const { environment = {}, ports = [] } of Object.values(compose.services)) {
      for (const [name, value] of Object.entries(environment)) {
        if (/PASSWORD|SECRET|KEY/.test(name)) expect(value).toMatch(/^\$\{\w+:[?-]\}$/);
      }
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    }
  });

  it('gives the server no more than it needs, and the time to end in order', () => {
    expect(app).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      stop_grace_period: '40s',
    });
  });

  it.runIf(hasRedis)('starts a server that becomes healthy, and ends with 0 when it is told to', async () => {
    const database = await createTestDatabase();
    const redis = await OwnRedis.open();
    const folder = mkdtempSync(path.join(tmpdir(), 'parlour-compose-'));
    const port = String(await freePort());
    const given: Record<string, string> = {
      POSTGRES_PASSWORD: 'unused',
      SECRET: 'a secret of this test, long enough to be one',
      LOG_LEVEL: 'silent',
    };
    const interpolated = Object.entries(app!.environment!).map(([name, value]) => [
      name,
      value.replaceAll(
        /\$\{(\w+):[?-]([^}]*)\}/g,
        (_, variable: string, otherwise: string) => given[variable] ?? otherwise,
      ),
    ]);
    const env = {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      ...Object.fromEntries(interpolated),
      PORT: port,
      DATA_DIR: folder,
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      SHUTDOWN_GRACE_SECONDS: '0',
    };
    const run = (...args: string[]): ChildProcess => spawn(process.execPath, args, { env, stdio: 'ignore' });
    const ended = (child: ChildProcess) =>
      new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
    const server = run('server/main.ts', 'serve');
    const exit = ended(server);
    const healthy = () => ended(run('server/deploy/healthy.mjs'));
    try {
      expect(await healthy()).toBe(1);
      await expect.poll(healthy, { timeout: 120_000, interval: 500 }).toBe(0);
    } finally {
      server.kill('SIGTERM');
    }
    expect(await exit).toBe(0);
    redis.kill();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });
});

describe('alarms and the dashboard of Grafana', () => {
  const rules = parse(read('server/deploy/alerts.yaml')) as {
    groups: { rules: { alert: string; expr: string; annotations: { summary: string; do: string } }[] }[];
  };
  const grafana = JSON.parse(read('server/deploy/grafana.json')) as {
    panels: { title: string; targets: { expr: string }[] }[];
  };
  const alarms = rules.groups.flatMap((group) => group.rules);
  const expressions = [
    ...alarms.map(({ expr }) => expr),
    ...grafana.panels.flatMap(({ targets }) =>
      targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '1m')),
    ),
  ];

  it('are written in PromQL, and each alarm says what to do', () => {
    for (const expression of expressions) {
      const errors: string[] = [];
      parser.parse(expression).iterate({
        enter(node) {
          if (node.type.isError) errors.push(`${expression}: at ${node.from}`);
        },
      });
      expect(errors).toEqual([]);
    }
    for (const { annotations } of alarms)
      expect([annotations.summary, annotations.do].filter(Boolean)).toHaveLength(2);
  });

  it('ask for what /metrics shows', async () => {
    // Nobody listens there: what is shown about Redis is shown all the same.
    const server = await startServer({ REDIS_URL: 'redis://127.0.0.1:1', LOG_LEVEL: 'silent' });
    const shown = await (await fetch(`${server.url}/metrics`)).text();
    await server.close();
    const known = new Set([...shown.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
    const asked = new Set<string>();
    for (const expression of expressions) {
      parser.parse(expression).iterate({
        enter(node) {
          if (node.name === 'VectorSelector')
            asked.add(/^\w+/.exec(expression.slice(node.from, node.to))?.[0] ?? '');
        },
      });
    }
    // Whether a target answers is Prometheus' own.
    asked.delete('up');
    expect(asked.size).toBeGreaterThan(10);
    const unknown = [...asked].filter((name) => !known.has(name.replace(/_(?:bucket|count|sum)$/, '')));
    expect(unknown).toEqual([]);
  });
});
