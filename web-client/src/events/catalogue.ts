import { queryOptions } from '@tanstack/react-query';
import { failureIn } from '../app/failure.ts';

export type Schema = { [key: string]: unknown };

export interface CataloguedEvent {
  type: string;
  /** When it happens. */
  summary: string;
  /** Name of the record that it carries; null for a mere id. */
  record: string | null;
}

export interface Catalogue {
  events: readonly CataloguedEvent[];
  /** The named schemas of the API document. */
  schemas: Readonly<Record<string, Schema>>;
}

/** Every event, from the API document that this server publishes. */
export const catalogueQuery = queryOptions({
  queryKey: ['catalogue'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async (): Promise<Catalogue> => {
    const response = await fetch('/api/v1/openapi.json');
    if (!response.ok) throw await failureIn(response);
    const { webhooks, components } = (await response.json()) as {
      webhooks: Record<string, { post: { summary: string; requestBody: unknown } }>;
      components: { schemas: Record<string, Schema> };
    };
    return {
      schemas: components.schemas,
      events: Object.entries(webhooks).map(([type, { post }]) => ({
        type,
        summary: post.summary,
        record: recordIn(post.requestBody),
      })),
    };
  },
});

/** The first schema that the body's `data.object` may be. */
function recordIn(body: unknown): string | null {
  const found = /"anyOf":\[\{"\$ref":"#\/components\/schemas\/(\w+)"/.exec(JSON.stringify(body));
  return found?.[1] ?? null;
}

/** The part before the dot, as a heading. */
export function familyOf(type: string): string {
  const family = (type.split('.')[0] ?? '').replace('_', ' ');
  return family.slice(0, 1).toUpperCase() + family.slice(1);
}
