import { hkdfSync, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { Variables, variableFacts, variableNames, type VariableName } from './config-variables.ts';
import { OperatorError } from './operator-error.ts';
import { createPrivateFile, ensurePrivateFolder } from './postgres-layout.ts';

/** Settings of this installation, checked; where a value came from is in `origins`. */
export type Config = {
  /** The folder of package.json; relative paths in settings start there. */
  projectDir: string;
  dataDir: string;
  host: string;
  /** 0 asks for any free port. */
  port: number;
  /** Set only when PUBLIC_URL is; see `publicUrlFor`. */
  publicUrl: string | undefined;
  /** Of the server itself, past any pooler; undefined: the embedded database. */
  databaseUrl: string | undefined;
  /** Of the pooler that stands before it. */
  pooledDatabaseUrl: string | undefined;
  redisUrl: string | undefined;
  demo: boolean;
  /** Whether the demo's customers write on their own. */
  demoTraffic: boolean;
  webConcurrency: number;
  /** How long a stopping server still accepts connections, so that a balancer notices first. */
  shutdownGraceMs: number;
  logLevel: Variables['LOG_LEVEL'];
  /** Proxies in front of us: how many hops, or their networks. */
  trustProxy: number | string[];
  webhooks: { allowCidrs: string[]; allowHttp: boolean };
  storageUrl: string;
  mediaMaxBytes: number;
  rateLimit: { perMinute: number; unauthenticatedPerMinute: number; signInAttempts: number };
  /** Sender of mails; made of the public host unless given. */
  mailFrom: string | undefined;
  smtpUrl: string | undefined;
  whatsappApiUrl: string;
  ai: {
    baseUrl: string | undefined;
    apiKey: string | undefined;
    model: string | undefined;
    /** USD for a million tokens, 0 when not given. */
    prices: { input: number; output: number };
  };
  /** Where spans go; undefined: nothing is traced. */
  tracing:
    | {
        /** Base address of an OTLP receiver; spans go to `/v1/traces` below it. */
        url: string;
        /** Sent with every request to it. */
        headers: Record<string, string>;
        /** What is said of this program there: `service.name` and whatever else was given. */
        resource: Record<string, string>;
        sampler: { name: Variables['OTEL_TRACES_SAMPLER']; ratio: number };
        /** In milliseconds and spans. */
        batch: {
          scheduledDelayMillis: number;
          maxQueueSize: number;
          maxExportBatchSize: number;
          exportTimeoutMillis: number;
        };
      }
    | undefined;
  secrets: {
    /** 32 bytes for one purpose ("cursor", "encryption", …), always the same ones in an installation. */
    derive(purpose: string): Buffer;
  };
  origins: Partial<Record<VariableName, string>>;
  variables: Variables;
};

/** All that is wrong with the settings, one line each. */
export class ConfigError extends OperatorError {
  readonly problems: string[];

  constructor(problems: string[]) {
    super(`The settings can't be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

type Given = { value: string; origin: string };
type Environment = Record<string, string | undefined>;

const defaultProjectDir = path.resolve(import.meta.dirname, '../..');

function readEnvFile(projectDir: string): Environment {
  const file = path.join(projectDir, '.env');
  return fs.existsSync(file) ? parseEnv(fs.readFileSync(file, 'utf8')) : {};
}

function sources(env: Environment, projectDir: string, problems: string[]): Map<VariableName, Given> {
  const fromFile = readEnvFile(projectDir);
  const find = (name: string): Given | undefined => {
    if (env[name]) return { value: env[name], origin: 'the environment' };
    return fromFile[name] ? { value: fromFile[name], origin: '.env' } : undefined;
  };
  const found = new Map<VariableName, Given>();
  for (const name of variableNames) {
    const direct = find(name);
    const file = variableFacts(name).secret ? find(`${name}_FILE`) : undefined;
    if (direct && file && direct.origin === file.origin) {
      problems.push(`${name} and ${name}_FILE are both set (from ${file.origin}); keep one of them`);
    } else if (direct && file?.origin !== 'the environment') found.set(name, direct);
    else if (file) {
      try {
        const value = fs.readFileSync(path.resolve(projectDir, file.value), 'utf8').trimEnd();
        found.set(name, { value, origin: `the file that ${name}_FILE names (from ${file.origin})` });
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        problems.push(`${name}_FILE: can't read ${file.value} (${code}; from ${file.origin})`);
      }
    }
  }
  return found;
}

function readVariables(given: Map<VariableName, Given>, problems: string[]): Variables | undefined {
  const parsed = Variables.safeParse(
    Object.fromEntries([...given].map(([name, { value }]) => [name, value])),
  );
  if (parsed.success) return parsed.data;
  for (const name of new Set(parsed.error.issues.map((issue) => issue.path[0] as VariableName))) {
    const { form, secret } = variableFacts(name);
    const got = secret ? 'got something else' : `got ${JSON.stringify(given.get(name)?.value)}`;
    problems.push(`${name}: expected ${form}, ${got} (from ${given.get(name)?.origin})`);
  }
  return undefined;
}

function secretsOf(secret: string | undefined, dataDir: string): Config['secrets'] {
  let material = secret;
  const read = (): string => {
    ensurePrivateFolder(dataDir);
    return createPrivateFile(path.join(dataDir, 'secret'), () => randomBytes(48).toString('base64url'));
  };
  return {
    derive: (purpose) => Buffer.from(hkdfSync('sha256', (material ??= read()), 'parlour', purpose, 32)),
  };
}

/**
 * Reads and checks all settings: the environment first, then `.env` in the project folder.
 * Throws a ConfigError that names every problem; touches nothing on disk.
 */
export function loadConfig(env: Environment = process.env, projectDir = defaultProjectDir): Config {
  const problems: string[] = [];
  const given = sources(env, projectDir, problems);
  const variables = readVariables(given, problems);
  const direct = variables?.DIRECT_DATABASE_URL;
  if (direct !== undefined && variables?.DATABASE_URL === undefined)
    problems.push('DIRECT_DATABASE_URL: goes with DATABASE_URL, which names the pooler in front of it');
  if (!variables || problems.length > 0) throw new ConfigError(problems);
  const dataDir = path.resolve(projectDir, variables.DATA_DIR);
  return {
    projectDir,
    dataDir,
    host: variables.HOST,
    port: variables.PORT,
    publicUrl: variables.PUBLIC_URL,
    databaseUrl: direct ?? variables.DATABASE_URL,
    pooledDatabaseUrl: direct === undefined ? undefined : variables.DATABASE_URL,
    redisUrl: variables.REDIS_URL,
    demoTraffic: variables.DEMO_TRAFFIC,
    demo: variables.DEMO ?? variables.DATABASE_URL === undefined,
    webConcurrency: variables.WEB_CONCURRENCY,
    shutdownGraceMs: variables.SHUTDOWN_GRACE_SECONDS * 1000,
    logLevel: variables.LOG_LEVEL,
    trustProxy: variables.TRUST_PROXY,
    webhooks: { allowCidrs: variables.WEBHOOK_ALLOW_CIDRS ?? [], allowHttp: variables.WEBHOOK_ALLOW_HTTP },
    storageUrl: variables.STORAGE_URL ?? `file:${path.join(dataDir, 'media')}`,
    mediaMaxBytes: variables.MEDIA_MAX_BYTES,
    rateLimit: {
      perMinute: variables.RATE_LIMIT_PER_MINUTE,
      unauthenticatedPerMinute: variables.RATE_LIMIT_UNAUTHENTICATED_PER_MINUTE,
      signInAttempts: variables.SIGN_IN_ATTEMPTS,
    },
    mailFrom: variables.MAIL_FROM,
    smtpUrl: variables.SMTP_URL,
    whatsappApiUrl: variables.WHATSAPP_API_URL,
    ai: {
      baseUrl: variables.AI_BASE_URL,
      apiKey: variables.AI_API_KEY,
      model: variables.AI_MODEL,
      prices: { input: variables.AI_PRICE_INPUT, output: variables.AI_PRICE_OUTPUT },
    },
    tracing: tracingOf(variables),
    secrets: secretsOf(variables.SECRET, dataDir),
    origins: Object.fromEntries([...given].map(([name, { origin }]) => [name, origin])),
    variables,
  };
}

/** The SDK itself would look in the environment alone, where neither `.env` nor the file of a secret is. */
function tracingOf(variables: Variables): Config['tracing'] {
  if (variables.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return undefined;
  const service = variables.OTEL_SERVICE_NAME;
  return {
    url: variables.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: pairsOf(variables.OTEL_EXPORTER_OTLP_HEADERS),
    resource: {
      'service.name': 'parlour',
      ...pairsOf(variables.OTEL_RESOURCE_ATTRIBUTES),
      ...(service === undefined ? {} : { 'service.name': service }),
    },
    sampler: { name: variables.OTEL_TRACES_SAMPLER, ratio: variables.OTEL_TRACES_SAMPLER_ARG },
    batch: {
      scheduledDelayMillis: variables.OTEL_BSP_SCHEDULE_DELAY,
      maxQueueSize: variables.OTEL_BSP_MAX_QUEUE_SIZE,
      maxExportBatchSize: variables.OTEL_BSP_MAX_EXPORT_BATCH_SIZE,
      exportTimeoutMillis: variables.OTEL_BSP_EXPORT_TIMEOUT,
    },
  };
}

/** `name=value,name=value`, the values percent-encoded, as OpenTelemetry writes headers and attributes. */
function pairsOf(text = ''): Record<string, string> {
  const pairs = text.split(',').filter(Boolean);
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at), decodeURIComponent(pair.slice(at + 1))];
    }),
  );
}

/** The absolute base URL of links, without a final slash, for a server that listens on `port`. */
export function publicUrlFor(config: Config, port = config.port): string {
  if (config.publicUrl) return config.publicUrl;
  const anywhere = config.host === '0.0.0.0' || config.host === '::';
  const host = anywhere ? 'localhost' : config.host.includes(':') ? `[${config.host}]` : config.host;
  return `http://${host}:${port}`;
}

type Setting = { name: string; value: string | number | boolean | string[] | null; from: string };

/** Every variable with its value and where it came from; secrets are hidden. */
export function describeConfig(config: Config): Setting[] {
  return variableNames.map((name) => {
    const value = config.variables[name] ?? null;
    const hidden = variableFacts(name).secret && value !== null;
    return { name, value: hidden ? '[hidden]' : value, from: config.origins[name] ?? 'the default' };
  });
}
