import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

/** What one GraphQL request may ask for; over any of them is `bad_request` before anything runs. */
export const graphqlLimits = {
  /** Bytes of the document. */
  document: 20_000,
  tokens: 1_000,
  /** Bytes of the variables as JSON. */
  variables: 100_000,
  /** Levels of fields; introspection has its own limit in the standard rules. */
  depth: 8,
  aliases: 15,
  rootFields: 10,
  directives: 20,
  /** Selections once all fragments are written out. */
  selections: 1_000,
  /** Records that the answer may hold (`costOf` in platform/graphql.ts). */
  complexity: 1_000,
} as const;

interface Size {
  depth: number;
  aliases: number;
  directives: number;
  /** Fields on this level alone. */
  fields: number;
  selections: number;
}

const names = {
  depth: 'levels of fields',
  aliases: 'aliases',
  directives: 'directives',
  fields: 'root fields',
  selections: 'selections',
} as const satisfies Record<keyof Size, string>;

const maxima: Readonly<Record<keyof Size, number>> = {
  depth: graphqlLimits.depth,
  aliases: graphqlLimits.aliases,
  directives: graphqlLimits.directives,
  fields: graphqlLimits.rootFields,
  selections: graphqlLimits.selections,
};

/** What is over its limit, as a sentence, or null. Runs before validation, which nested fragments could wear out. */
export function overLimit(document: DocumentNode): string | null {
  const measure = measurer(document);
  for (const operation of operationsOf(document)) {
    const size = measure(operation);
    for (const [what, maximum] of Object.entries(maxima) as [keyof Size, number][]) {
      if (size[what] > maximum) return `The document has over ${maximum} ${names[what]}.`;
    }
  }
  return null;
}

/** Root fields of an operation, at least 1: what it costs of the caller's budget. */
export function rootFieldsOf(document: DocumentNode, operation: OperationDefinitionNode): number {
  return Math.max(1, measurer(document)(operation).fields);
}

function operationsOf(document: DocumentNode): OperationDefinitionNode[] {
  return document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
}

/** Each fragment is measured once, so a document costs its length and not what it unfolds to. */
function measurer(document: DocumentNode) {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const measured = new Map<string, Size>();

  function ofFragment(name: string): Size {
    const known = measured.get(name);
    if (known) return known;
    // A fragment inside itself counts as nothing here; validation refuses it by name.
    measured.set(name, { depth: 0, aliases: 0, directives: 0, fields: 0, selections: 0 });
    const fragment = fragments.get(name);
    if (!fragment) return empty;
    const size = plus(ofSelections(fragment.selectionSet), { directives: fragment.directives?.length ?? 0 });
    measured.set(name, size);
    return size;
  }

  function ofSelections({ selections }: SelectionSetNode): Size {
    let total = empty;
    for (const selection of selections) {
      const own = { directives: selection.directives?.length ?? 0, selections: 1 };
      switch (selection.kind) {
        case Kind.FIELD: {
          const inner = selection.selectionSet ? ofSelections(selection.selectionSet) : empty;
          const depth = selection.name.value.startsWith('__') ? 0 : inner.depth + 1;
          const below = { ...inner, depth, fields: 1, aliases: inner.aliases + (selection.alias ? 1 : 0) };
          total = plus(total, plus(below, own));
          break;
        }
        case Kind.INLINE_FRAGMENT:
          total = plus(total, plus(ofSelections(selection.selectionSet), own));
          break;
        case Kind.FRAGMENT_SPREAD:
          total = plus(total, plus(ofFragment(selection.name.value), own));
          break;
      }
    }
    return total;
  }

  return (operation: OperationDefinitionNode): Size =>
    plus(ofSelections(operation.selectionSet), { directives: operation.directives?.length ?? 0 });
}

const empty: Size = { depth: 0, aliases: 0, directives: 0, fields: 0, selections: 0 };

function plus(a: Size, b: Partial<Size>): Size {
  return {
    depth: Math.max(a.depth, b.depth ?? 0),
    aliases: a.aliases + (b.aliases ?? 0),
    directives: a.directives + (b.directives ?? 0),
    fields: a.fields + (b.fields ?? 0),
    selections: a.selections + (b.selections ?? 0),
  };
}
