import { z } from 'zod';
import type { RestProcedure } from './procedures.ts';

/** As much of JSON Schema as inputs use. */
interface Node {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  minLength?: number;
  maxLength?: number;
  properties?: Record<string, Node>;
  items?: Node;
  anyOf?: Node[];
}

/** A place in an input: names of fields, 0 for the first of a list. */
export type Place = readonly (string | number)[];

/** What may stand at a place; without null. */
export interface Slot {
  place: Place;
  schema: Node;
}

/** Every place of an input that a value can stand in, without those of the path. */
export function slotsOf({ operation }: RestProcedure): Slot[] {
  const schema = z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' }) as Node;
  const inPath = Object.keys(operation.targets ?? {});
  return walk(schema, []).filter(({ place: [first] }) => !inPath.includes(String(first)));
}

function walk(node: Node, place: Place): Slot[] {
  const options = (node.anyOf ?? [node]).filter(({ type }) => type !== 'null');
  return options.flatMap((one) => {
    if (one.properties)
      return Object.entries(one.properties).flatMap(([name, field]) => walk(field, [...place, name]));
    if (one.items) return walk(one.items, [...place, 0]);
    return [{ place, schema: { ...node, ...one } }];
  });
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
