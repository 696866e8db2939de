/** An agent of the calendar: a name and a colour, by which the bookings are told apart. */
export interface Lane {
  email: string;
  name: string;
  /** Which of the colours, from 0. */
  colour: number;
}

/** Different colours; after them they start again, and names alone tell who it is. */
const colours = 8;

/** The people of the company and whoever else has bookings that are shown, by name. */
export function lanesOf(
  people: readonly { email: string; name: string }[],
  bookings: readonly { agent: { email: string; name: string } }[],
): Lane[] {
  const all = new Map(people.map(({ email, name }) => [email, name]));
  for (const { agent } of bookings) if (!all.has(agent.email)) all.set(agent.email, agent.name);
  return [...all]
    .map(([email, name]) => ({ email, name }))
    .toSorted((one, other) => one.name.localeCompare(other.name) || (one.email < other.email ? -1 : 1))
    .map((one, index) => ({ ...one, colour: index % colours }));
}
