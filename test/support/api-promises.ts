/** A JSON Schema of the OpenAPI document, as far as promises are made of it. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}
type Content = Record<string, { schema?: Schema }>;
interface Operation {
  parameters?: { $ref?: string; name: string; in: string; required?: boolean; schema?: Schema }[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { $ref?: string; content?: Content }>;
}
export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
}

/**
 * What a document promises of each operation: for every place its types and the values of an enum, in one text. A place
 * begins with `<` when it is taken and with the status when it is answered; `!` says that it is required.
 */
export type Promises = Record<string, Record<string, string>>;

const methods = ['get', 'post', 'put', 'patch', 'delete'];
/** Deeper places repeat what is promised elsewhere. */
const deepest = 8;

export function promisesOf(document: ApiDocument): Promises {
  const promises: Promises = {};
  const resolve = <T extends { $ref?: string }>(node: T): T => {
    if (!node.$ref) return node;
    let found: unknown = document;
    for (const part of node.$ref.slice(2).split('/')) found = Reflect.get(found as object, part);
    return resolve(found as T);
  };

  /** Every place below a schema with its words. */
  function walk(given: Schema, place: string, required: boolean, into: Map<string, Set<string>>): void {
    const schema = resolve(given);
    const words = into.get(place) ?? new Set<string>();
    into.set(place, words);
    if (required) words.add('!');
    for (const type of [schema.type ?? []].flat()) words.add(type);
    for (const value of schema.enum ?? (schema.const === undefined ? [] : [schema.const]))
      words.add(JSON.stringify(value));
    if (place.split('.').length > deepest) return;
    for (const one of schema.allOf ?? []) walk(one, place, false, into);
    for (const one of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) walk(one, place, false, into);
    for (const [name, one] of Object.entries(schema.properties ?? {}))
      walk(one, `${place}.${name}`, schema.required?.includes(name) ?? false, into);
    if (schema.items) walk(schema.items, `${place}[]`, false, into);
  }

  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of methods) {
      const operation = item[method];
      if (!operation) continue;
      const places = new Map<string, Set<string>>();
      for (const parameter of operation.parameters?.map(resolve) ?? [])
        walk(
          parameter.schema ?? {},
          `< ${parameter.in} ${parameter.name}`,
          parameter.required ?? false,
          places,
        );
      for (const { schema } of Object.values(operation.requestBody?.content ?? {}))
        walk(schema ?? {}, '< body', operation.requestBody?.required ?? false, places);
      for (const [status, response] of Object.entries(operation.responses))
        // Errors are the same everywhere, and have a table and tests of their own.
        if (status.startsWith('2'))
          for (const { schema } of Object.values(resolve(response).content ?? {}))
            walk(schema ?? {}, status, false, places);
      promises[`${method.toUpperCase()} ${path}`] = Object.fromEntries(
        [...places].map(([place, words]) => [place, [...words].toSorted().join(' ')]),
      );
    }
  }
  return promises;
}

const wordsOf = (text: string) => new Set(text.split(' ').filter((word) => word !== ''));
const isValue = (word: string) => /^["\d]|^(?:true|false)$/.test(word);

/** What a client of the released document can no longer rely on, in words. */
export function brokenPromises(released: Promises, now: Promises): string[] {
  return Object.entries(released).flatMap(([operation, places]) => {
    const current = now[operation];
    if (!current) return [`${operation} is gone`];
    const broken: string[] = [];
    for (const [place, text] of Object.entries(places)) {
      const found = current[place];
      if (found === undefined) broken.push(`${operation}: ${place} is gone`);
      else
        broken.push(...changed(place, wordsOf(text), wordsOf(found)).map((what) => `${operation}: ${what}`));
    }
    for (const [place, text] of Object.entries(current))
      if (place.startsWith('<') && !(place in places) && wordsOf(text).has('!'))
        broken.push(`${operation}: ${place} is new and required`);
    return broken;
  });
}

/* What is taken may grow; what is answered may shrink, and its enums may grow, of which clients are told. */
function changed(place: string, before: Set<string>, after: Set<string>): string[] {
  const lost = [...before].filter((word) => !after.has(word));
  const gained = [...after].filter((word) => !before.has(word));
  if (place.startsWith('<'))
    return [
      ...lost.filter((word) => word !== '!').map((word) => `${place} no longer takes ${word}`),
      ...gained.filter((word) => word === '!').map(() => `${place} is required now`),
    ];
  return [
    ...lost.filter((word) => word === '!').map(() => `${place} may be absent now`),
    ...gained
      .filter((word) => word !== '!' && !isValue(word))
      .map((word) => `${place} may be of type ${word} now`),
  ];
}
