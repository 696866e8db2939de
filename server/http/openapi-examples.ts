import { fieldExamples } from '../../schema/examples.ts';

/** As much of JSON Schema as our documents use. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  pattern?: string;
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  example?: unknown;
  examples?: unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

/**
 * An example of what a schema describes: its own where it has one, otherwise made of its fields.
 * The same schema gives the same example, so the document changes only when the API does.
 */
export function exampleOf(schema: object, schemas: Record<string, object>, name = ''): unknown {
  const of = schema as Schema;
  if (of.$ref) return exampleOf(schemas[of.$ref.split('/').at(-1) ?? ''] ?? {}, schemas, name);
  if ('const' in of) return of.const;
  if (of.examples?.length) return of.examples[0];
  if (of.example !== undefined) return of.example;
  if (of.allOf) return merged(of.allOf.map((part) => exampleOf(part, schemas, name)));
  const choice = (of.anyOf ?? of.oneOf)?.find(({ type }) => type !== 'null');
  if (choice) return exampleOf(choice, schemas, name);
  if (of.enum) return of.enum[0];
  const type = [of.type].flat().find((one) => one !== 'null');
  const known = fieldExamples[name];
  if (known !== undefined && fits(known, type, of)) return known;
  if (of.default !== undefined) return of.default;
  if (type === 'array') return [exampleOf(of.items ?? {}, schemas, name)];
  if (type === 'object' || of.properties) return exampleObject(of, schemas);
  if (type === 'boolean') return false;
  if (type === 'integer' || type === 'number') return Math.max(of.minimum ?? 0, 0);
  return type === 'string' ? exampleText(of, name) : null;
}

/** What is mostly absent: the meta of test mode, and what only some events tell. */
const rare = new Set(['meta', 'previous', 'details']);

function exampleObject({ properties = {}, required = [] }: Schema, schemas: Record<string, object>): object {
  const shown = Object.entries(properties).filter(([name]) => required.includes(name) || !rare.has(name));
  return Object.fromEntries(shown.map(([name, schema]) => [name, exampleOf(schema, schemas, name)]));
}

function exampleText({ format }: Schema, name: string): string {
  if (format === 'date-time' || name.endsWith('_at')) return '2026-03-01T09:30:00.123Z';
  if (format === 'email') return 'ana@example.com';
  if (format === 'uri') return 'https://shop.example/hello';
  return name.endsWith('_id') ? '01JQZ7K3M9V5T2XH8C4B6N0DFG' : (name || 'text').replaceAll('_', ' ');
}

/** Whether a value of the table is what this field may hold. */
function fits(
  value: unknown,
  type: string | undefined,
  { pattern, format, minimum, maximum }: Schema,
): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer' || type === 'number') {
    return typeof value === 'number' && value >= (minimum ?? value) && value <= (maximum ?? value);
  }
  if (type !== 'string' || typeof value !== 'string') return false;
  return format === undefined && (pattern === undefined || new RegExp(pattern, 'u').test(value));
}

function merged(parts: unknown[]): unknown {
  return parts.reduce((all, part) => (isObject(all) && isObject(part) ? mergedObjects(all, part) : part));
}

function mergedObjects(first: Record<string, unknown>, second: Record<string, unknown>): object {
  const names = new Set([...Object.keys(first), ...Object.keys(second)]);
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      name in first && name in second ? merged([first[name], second[name]]) : (second[name] ?? first[name]),
    ]),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
