type Data = Readonly<Record<string, unknown>>;
type Labels = Readonly<Record<string, string | ((data: Data) => string)>>;

/** What a lifecycle entry says to people. One table a language; English stands in for a missing one. */
const english: Labels = {
  'conversation.created': 'Conversation started',
  'conversation.assigned': (data) => `Assigned to ${nameIn(data['to'])}`,
  'conversation.unassigned': (data) => `Unassigned from ${nameIn(data['from'])}`,
  'conversation.transferred': (data) => `Transferred to ${nameIn(data['to'])}`,
  'conversation.closed': 'Closed',
  'conversation.reopened': 'Reopened',
  'conversation.archived': 'Archived',
  'conversation.unarchived': 'Taken out of the archive',
  'conversation.muted': (data) =>
    typeof data['until'] === 'string' ? `Muted until ${data['until']}` : 'Muted',
  'conversation.unmuted': 'Unmuted',
  'conversation.tagged': (data) => `Tagged ${nameIn(data['tag'])}`,
  'conversation.untagged': (data) => `Untagged ${nameIn(data['tag'])}`,
  'conversation.rated': (data) => `Rated ${String(data['rating'])} of 5`,
  'conversation.handoff': 'Handed over from AI to a person',
};

const languages: Readonly<Record<string, Labels>> = { en: english };

/** @param locale BCP 47; its language decides */
export function labelOf(event: string, data: Data, locale = 'en'): string {
  const label = languages[locale.split('-')[0] ?? 'en']?.[event] ?? english[event];
  if (typeof label === 'function') return label(data);
  return label ?? event;
}

function nameIn(holder: unknown): string {
  const name: unknown =
    typeof holder === 'object' && holder !== null ? Reflect.get(holder, 'name') : undefined;
  return typeof name === 'string' ? name : 'nobody';
}
