import type { Catalogue, Schema } from './catalogue.ts';

/** Deeper than this, an example is cut short. */
const deepest = 6;

/** A value that fits a schema: its own example where it has one, else one made of its parts. */
export function exampleOf(schema: Schema, schemas: Catalogue['schemas'], depth = 0): unknown {
  const { $ref: reference, examples, enum: words, properties, items, type } = schema;
  if (typeof reference === 'string') {
    const named = schemas[reference.slice(reference.lastIndexOf('/') + 1)];
    return named ? exampleOf(named, schemas, depth) : null;
  }
  if ('const' in schema) return schema['const'];
  if (Array.isArray(examples) && examples.length > 0) return examples[0];
  if (Array.isArray(words)) return words[0];
  const choices = schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf'];
  if (Array.isArray(choices)) return exampleOf(choices[0] as Schema, schemas, depth);
  if (properties !== undefined && depth < deepest) {
    return Object.fromEntries(
      Object.entries(properties as Record<string, Schema>).map(([name, part]) => [
        name,
        exampleOf(part, schemas, depth + 1),
      ]),
    );
  }
  switch (Array.isArray(type) ? type[0] : type) {
    case 'array':
      return depth < deepest && items ? [exampleOf(items as Schema, schemas, depth + 1)] : [];
    case 'string':
      return schema['format'] === 'date-time' ? '2026-03-01T09:30:00.123Z' : 'text';
    case 'integer':
    case 'number':
      return Math.max(1, Number(schema['minimum'] ?? 1));
    case 'boolean':
      return false;
    case 'object':
      return {};
    default:
      return null;
  }
}

/** The body of a webhook that tells of an event. */
export function bodyOf(type: string, record: unknown): object {
  return {
    id: '01JQZ7K3M9V5T2XH8C4B6N0DFG',
    type,
    api_version: 'v1',
    created_at: '2026-03-01T09:30:00.123Z',
    livemode: true,
    company: '01JQZ7K3M9V5T2XH8C4B6N0DFH',
    sequence: 184_467,
    actor: { type: 'user', id: '01JQZ7K3M9V5T2XH8C4B6N0DFJ', name: 'Ana Sousa', request_id: null },
    cause: null,
    data: { object: record },
  };
}
