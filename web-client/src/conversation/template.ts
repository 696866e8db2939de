import type { ChannelTemplate } from '../../../schema/channels.ts';

const placeholder = /\{\{\s*([\w.]+)\s*\}\}/g;

interface Part {
  text: string;
  /** What the names of its variables begin with when the template is sent. */
  prefix: string;
}

function partsOf({ components }: ChannelTemplate): Part[] {
  return components.flatMap(({ type, text }) => {
    if (typeof text !== 'string' || typeof type !== 'string') return [];
    const kind = type.toUpperCase();
    return kind === 'BUTTONS' ? [] : [{ text, prefix: kind === 'HEADER' ? 'header.' : '' }];
  });
}

/** Names under which a template's variables are sent, in order of appearance. */
export function variablesOf(template: ChannelTemplate): string[] {
  const all = partsOf(template).flatMap(({ text, prefix }) =>
    [...text.matchAll(placeholder)].map(([, name = '']) => `${prefix}${name}`),
  );
  return [...new Set(all)];
}

/** A template as the customer would read it; what is not given yet stays as it is. */
export function readTemplate(template: ChannelTemplate, values: Readonly<Record<string, string>>): string {
  return partsOf(template)
    .map(({ text, prefix }) =>
      text.replaceAll(placeholder, (whole, name: string) => values[`${prefix}${name}`] || whole),
    )
    .join('\n');
}
