import { isIP } from 'node:net';
import { z } from 'zod';

const MIB = 1024 * 1024;

const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max));
const price = z
  .string()
  .regex(/^\d{1,6}(?:\.\d{1,6})?$/)
  .transform(Number);
const flag = z.enum(['0', '1', 'true', 'false']).transform((word) => word === '1' || word === 'true');
const url = (...schemes: string[]) =>
  z.string().refine((text) => schemes.some((scheme) => text.startsWith(`${scheme}:`)) && URL.canParse(text));
const webUrl = url('http', 'https').transform((text) => text.replace(/\/+$/, ''));

function isCidr(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
function isPercentEncoded(text: string): boolean {
  try {
    return decodeURIComponent(text) !== '';
  } catch {
    return false;
  }
}

const cidrs = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .refine((parts) => parts.every(isCidr));

/**
 * Every setting: how it is read, its default, and the `form` that an error message asks for.
 * Those marked `secret` are never printed and may also be given as `NAME_FILE`, the path of a file.
 */
export const Variables = z.object({
  PORT: integer(0, 65_535).default(4000).meta({ form: 'a port number from 0 to 65535 (0: any free port)' }),
  HOST: z
    .string()
    .regex(/^[\w.:-]+$/)
    .default('127.0.0.1')
    .meta({ form: 'an address or host name to listen on' }),
  PUBLIC_URL: webUrl.optional().meta({ form: 'an http or https URL' }),
  DATA_DIR: z.string().default('.data').meta({ form: 'a folder' }),
  DATABASE_URL: url('postgres', 'postgresql')
    .optional()
    .meta({ form: 'a URL like postgresql://user:password@host:5432/database', secret: true }),
  DIRECT_DATABASE_URL: url('postgres', 'postgresql')
    .optional()
    .meta({ form: 'a URL like postgresql://user:password@host:5432/database', secret: true }),
  REDIS_URL: url('redis', 'rediss').optional().meta({ form: 'a URL like redis://host:6379', secret: true }),
  DEMO: flag.optional().meta({ form: '1 or 0' }),
  DEMO_TRAFFIC: flag.default(true).meta({ form: '1 or 0' }),
  WEB_CONCURRENCY: integer(1, 64).default(1).meta({ form: 'a number of processes from 1 to 64' }),
  SHUTDOWN_GRACE_SECONDS: integer(0, 120).default(5).meta({ form: 'a number of seconds from 0 to 120' }),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .meta({ form: 'one of fatal, error, warn, info, debug, trace, silent' }),
  TRUST_PROXY: z
    .union([integer(0, 20), cidrs])
    .default(0)
    .meta({
      form: 'a number of proxies in front (0 to 20), or their addresses as CIDRs with commas between',
    }),
  SECRET: z.string().min(32).optional().meta({ form: 'at least 32 characters', secret: true }),
  WEBHOOK_ALLOW_CIDRS: cidrs.optional().meta({ form: 'CIDRs with commas between, like 10.0.0.0/8,fd00::/8' }),
  WEBHOOK_ALLOW_HTTP: flag.default(false).meta({ form: '1 or 0' }),
  STORAGE_URL: url('file', 's3', 'http', 'https')
    .optional()
    .meta({ form: 'a URL: file:///folder or s3://key:secret@host/bucket', secret: true }),
  MEDIA_MAX_BYTES: integer(1024, 1024 * MIB)
    .default(100 * MIB)
    .meta({ form: 'a number of bytes from 1024 to 1073741824' }),
  RATE_LIMIT_PER_MINUTE: integer(1, 1_000_000)
    .default(120)
    .meta({ form: 'a number of requests from 1 to 1000000' }),
  RATE_LIMIT_UNAUTHENTICATED_PER_MINUTE: integer(1, 1_000_000)
    .default(60)
    .meta({ form: 'a number of requests from 1 to 1000000' }),
  SIGN_IN_ATTEMPTS: integer(1, 1_000_000).default(5).meta({ form: 'a number of tries from 1 to 1000000' }),
  SMTP_URL: url('smtp', 'smtps')
    .optional()
    .meta({ form: 'a URL like smtp://user:password@host:587', secret: true }),
  MAIL_FROM: z
    .string()
    .max(300)
    .refine((text) => text.includes('@') && !/[\r\n]/.test(text))
    .optional()
    .meta({ form: 'an address like Parlour <support@example.com>' }),
  WHATSAPP_API_URL: webUrl
    .default('https://graph.facebook.com')
    .meta({ form: 'the http or https base URL of the WhatsApp Cloud API' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: webUrl
    .optional()
    .meta({ form: 'the http or https base URL of an OpenTelemetry collector' }),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .regex(/^[\w-]+=[^,\r\n]*(?:,[\w-]+=[^,\r\n]*)*$/)
    .refine(isPercentEncoded)
    .optional()
    .meta({ form: 'headers like name=value, with commas between', secret: true }),
  OTEL_SERVICE_NAME: z.string().max(100).optional().meta({ form: 'a name' }),
  OTEL_RESOURCE_ATTRIBUTES: z
    .string()
    .regex(/^[\w./-]+=[^,=\r\n]*(?:,[\w./-]+=[^,=\r\n]*)*$/)
    .refine(isPercentEncoded)
    .optional()
    .meta({ form: 'attributes like name=value, with commas between' }),
  OTEL_TRACES_SAMPLER: z
    .enum([
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ])
    .default('parentbased_always_on')
    .meta({ form: 'always_on, always_off or traceidratio, or one of them after parentbased_' }),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(?:0|1|0?\.\d{1,9}|[01]\.0{1,9})$/)
    .transform(Number)
    .default(1)
    .meta({ form: 'a share from 0 to 1, such as 0.1' }),
  OTEL_BSP_SCHEDULE_DELAY: integer(1, 600_000)
    .default(5_000)
    .meta({ form: 'a number of milliseconds from 1 to 600000' }),
  OTEL_BSP_MAX_QUEUE_SIZE: integer(1, 1_000_000)
    .default(2_048)
    .meta({ form: 'a number of spans from 1 to 1000000' }),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: integer(1, 100_000)
    .default(512)
    .meta({ form: 'a number of spans from 1 to 100000' }),
  OTEL_BSP_EXPORT_TIMEOUT: integer(1, 600_000)
    .default(30_000)
    .meta({ form: 'a number of milliseconds from 1 to 600000' }),
  AI_BASE_URL: webUrl.optional().meta({ form: 'the http or https base URL of an OpenAI-compatible service' }),
  AI_API_KEY: z.string().optional().meta({ form: 'a key', secret: true }),
  AI_MODEL: z.string().max(200).optional().meta({ form: "a model's name" }),
  AI_PRICE_INPUT: price.default(0).meta({ form: 'USD for a million tokens, such as 0.15' }),
  AI_PRICE_OUTPUT: price.default(0).meta({ form: 'USD for a million tokens, such as 0.60' }),
});
export type Variables = z.infer<typeof Variables>;
export type VariableName = keyof Variables;

export const variableNames = Object.keys(Variables.shape) as VariableName[];

/** The words that say what a variable must look like, and whether it is a secret. */
export function variableFacts(name: VariableName): { form: string; secret: boolean } {
  const meta = Variables.shape[name].meta() as { form: string; secret?: boolean } | undefined;
  return { form: meta?.form ?? 'text', secret: meta?.secret ?? false };
}

/** Names that the environment may hold: every variable, and `NAME_FILE` for the secret ones. */
export const acceptedNames: string[] = variableNames.flatMap((name) =>
  variableFacts(name).secret ? [name, `${name}_FILE`] : [name],
);
