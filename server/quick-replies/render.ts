import { type QuickReplyVariable, variablePattern } from '../../schema/quick-replies.ts';

/** Whom and what a saved text can name. */
export interface QuickReplyValues {
  contact?: { name: string | null } | null;
  agent?: { name: string } | null;
  company?: { name: string } | null;
  order?: { number: number } | null;
}

/** The text as it is sent: a variable without a value gives its fallback, or nothing. */
export function renderQuickReply(text: string, values: QuickReplyValues): string {
  return fill(text, values, () => '');
}

/** The text as an agent goes on with it: a variable without value and fallback still stands there. */
export function previewQuickReply(text: string, values: QuickReplyValues): string {
  return fill(text, values, (name) => `{{${name}}}`);
}

function fill(text: string, values: QuickReplyValues, otherwise: (name: string) => string): string {
  const known = valuesOf(values);
  return text.replaceAll(variablePattern, (_whole, name: string, fallback: string | undefined) => {
    const value = known.get(name.trim());
    return value === undefined || value === '' ? (fallback ?? otherwise(name.trim())) : value;
  });
}

function valuesOf({
  contact,
  agent,
  company,
  order,
}: QuickReplyValues): ReadonlyMap<string, string | undefined> {
  const name = contact?.name?.trim();
  return new Map<QuickReplyVariable, string | undefined>([
    ['contact.name', name],
    ['contact.first_name', name?.split(/\s+/)[0]],
    ['agent.name', agent?.name],
    ['company.name', company?.name],
    ['order.number', order?.number.toString()],
  ]);
}
