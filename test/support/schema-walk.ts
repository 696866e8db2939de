import { z } from 'zod';
import type { RestProcedure } from './procedures.ts';

interface Node {
  properties?: Record<string, Node>;
  items?: Node;
  anyOf?: Node[];
}

/** A place in an input: names of fields, 0 for the first of a list. */
export type Place = readonly (string | number)[];

/** Every place of an input that a value can stand in, without those of the path. */
export function placesOf({ operation }: RestProcedure): Place[] {
  const schema = z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' }) as Node;
  return walk(schema, []).filter(
    (place) => !(place[0] !== undefined && operation.targets && place[0] in operation.targets),
  );
}

function walk(node: Node, at: Place): Place[] {
  const inner = [node, ...(node.anyOf ?? [])];
  const fields = inner.flatMap(({ properties = {} }) => Object.entries(properties));
  const items = inner.flatMap((one) => (one.items ? [one.items] : []));
  if (fields.length === 0 && items.length === 0) return [at];
  return [
    ...fields.flatMap(([name, field]) => walk(field, [...at, name])),
    ...items.flatMap((item) => walk(item, [...at, 0])),
  ];
}

/** A copy of the input with another value at that place. */
export function withValue(input: unknown, [step, ...rest]: Place, value: unknown): unknown {
  if (step === undefined) return value;
  if (typeof step === 'number') {
    const list: unknown[] = Array.isArray(input) ? [...(input as unknown[])] : [];
    list[step] = withValue(list[step], rest, value);
    return list;
  }
  const record = typeof input === 'object' && input !== null ? input : {};
  return { ...record, [step]: withValue(Reflect.get(record, step), rest, value) };
}

/** An answer without what differs from call to call: ids, times, and what the call itself has named. */
export function settledText(text: string, ...named: string[]): string {
  const without = named.reduce((all, name) => all.replaceAll(name, '#'), text);
  return without
    .replaceAll(/\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g, '#')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '#')
    .replaceAll(/"sequence":\d+/g, '#');
}
