import type { OpenAPIObject } from 'trpc-to-openapi';
import { errors } from '../../schema/errors.ts';
import { guides } from './docs-page.ts';
import { tags } from './openapi-tags.ts';

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: { description?: string; enum?: string[]; maximum?: number; maxLength?: number };
}

interface Operation {
  summary: string;
  description?: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: Body;
  responses: Record<string, Body>;
  'x-required-scopes'?: string[];
  'x-any-of-scopes'?: string[];
}

interface Body {
  content?: Record<string, { example?: unknown }>;
}

/** The OpenAPI document as plain Markdown, by tag: for reading without scripts, and for machines that read text. */
export function openApiMarkdown(document: OpenAPIObject): string {
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({
      title: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
  const sections = tags.flatMap(({ name, description }) => {
    const under = operations.filter(({ operation }) => operation.tags.includes(name));
    if (under.length === 0) return [];
    const texts = under.map(({ title, operation }) => operationMarkdown(title, operation));
    return [`## ${name}\n\n${description}\n\n${texts.join('\n')}`];
  });
  return `# ${document.info.title}\n\n${document.info.description}\n\n${sections.join('\n')}\n${webhooksMarkdown(document)}`;
}

function operationMarkdown(title: string, operation: Operation): string {
  const anyOf = operation['x-any-of-scopes'];
  const scopes = anyOf ? `one of ${coded(anyOf)}` : coded(operation['x-required-scopes'] ?? []);
  const parameters = (operation.parameters ?? []).filter(({ $ref }) => $ref === undefined);
  const [status = '', success] = Object.entries(operation.responses)[0] ?? [];
  return [
    `### ${title}`,
    `${operation.summary}. ${operation.description ?? ''}`.trim(),
    `Scope: ${scopes || 'any valid key'}.`,
    parameters.map(parameterMarkdown).join('\n'),
    exampleMarkdown('Request', operation.requestBody),
    exampleMarkdown(`Answer ${status}`, success),
    '',
  ]
    .filter((part, index, all) => part !== '' || index === all.length - 1)
    .join('\n\n');
}

function parameterMarkdown({ name, in: place, required, description, schema }: Parameter): string {
  const limit = schema?.enum
    ? `one of ${coded(schema.enum)}`
    : schema?.maxLength
      ? `at most ${schema.maxLength} characters`
      : '';
  const facts = [place, required ? 'required' : '', limit].filter(Boolean).join(', ');
  return `- \`${name}\` (${facts}) ${description ?? schema?.description ?? ''}`.trimEnd();
}

function exampleMarkdown(title: string, body: Body | undefined): string {
  const [type, content] = Object.entries(body?.content ?? {})[0] ?? [];
  if (!content) return '';
  return `${title} (\`${type}\`):\n\n\`\`\`json\n${JSON.stringify(content.example, null, 2)}\n\`\`\``;
}

function webhooksMarkdown(document: object): string {
  const { webhooks } = document as { webhooks: Record<string, { post: Operation }> };
  const lines = Object.entries(webhooks).map(([type, { post }]) => `- \`${type}\`: ${post.summary}`);
  return `## Webhooks\n\n${lines.join('\n')}\n`;
}

const coded = (words: readonly string[]) => words.map((word) => `\`${word}\``).join(', ');

/** What there is to read, for programs that read text: https://llmstxt.org. */
export function llmsText(url: string): string {
  const pages = guides.map(([name, title]) => `- [${title}](${url}/docs/${name}.md)`);
  return `# Parlour

> Customer messaging and commerce that a company hosts itself: contacts, conversations, messages, products, orders,
> bookings and campaigns over REST, GraphQL, webhooks and realtime channels.

Every request carries \`Authorization: Bearer <key>\`. Success is \`{data, meta}\`, failure \`{error: {type, code, message,
param, request_id}}\` with one of the codes ${coded(Object.keys(errors))}. Lists are paged by an opaque cursor, writes take
an \`Idempotency-Key\`. Keys that start with \`svc_test_\` change nothing.

## Reference

- [Every operation, as Markdown](${url}/docs/openapi.md)
- [OpenAPI 3.1, JSON](${url}/api/v1/openapi.json)
- [OpenAPI 3.1, YAML](${url}/api/v1/openapi.yaml)
- [Postman collection](${url}/docs/postman.json)
- [Bruno collection](${url}/docs/bruno.zip)

## Guides

${pages.join('\n')}
`;
}
