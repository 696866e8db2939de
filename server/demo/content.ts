import type { Contact } from '../../prisma/generated/client/client.ts';
import type { CampaignScript, RecipientScript } from '../sandbox/campaigns.ts';

const hour = 3_600_000;
const day = 24 * hour;

interface BookingScript {
  /** Days from today; negative is past. */
  inDays: number;
  /** Hour of the day, UTC. */
  at: number;
  minutes: number;
  title: string;
  status: 'pending' | 'confirmed' | 'completed' | 'cancelled' | 'no_show';
  location: string;
}

const studio = 'Studio, back entrance';
const call = 'https://meet.example/casa-lume';

/** Agents take turns by place in the list, so no agent is booked twice at a time. */
export const bookings: readonly BookingScript[] = [
  { inDays: -3, at: 10, minutes: 60, title: 'Lighting consultation', status: 'completed', location: call },
  {
    inDays: -2,
    at: 15,
    minutes: 30,
    title: 'Pick-up of a large order',
    status: 'completed',
    location: studio,
  },
  { inDays: -1, at: 9, minutes: 45, title: 'Wholesale first meeting', status: 'no_show', location: call },
  { inDays: 1, at: 9, minutes: 60, title: 'Lighting consultation', status: 'confirmed', location: call },
  { inDays: 1, at: 11, minutes: 30, title: 'Showroom visit', status: 'confirmed', location: studio },
  { inDays: 1, at: 14, minutes: 180, title: 'Pottery workshop', status: 'confirmed', location: studio },
  { inDays: 2, at: 10, minutes: 30, title: 'Showroom visit', status: 'pending', location: studio },
  { inDays: 2, at: 16, minutes: 60, title: 'Restaurant tableware', status: 'confirmed', location: call },
  { inDays: 3, at: 9, minutes: 45, title: 'Gift registry', status: 'pending', location: call },
  { inDays: 3, at: 13, minutes: 60, title: 'Lighting consultation', status: 'confirmed', location: call },
  { inDays: 4, at: 10, minutes: 30, title: 'Repair drop-off', status: 'confirmed', location: studio },
  { inDays: 4, at: 12, minutes: 30, title: 'Showroom visit', status: 'cancelled', location: studio },
];

type Script = Omit<CampaignScript, 'companyId' | 'id' | 'channelId' | 'createdById'>;

/** One campaign that is over, one that was stopped half-way, one that nobody has sent yet. */
export function campaigns(now: Date, contacts: readonly Contact[]): Script[] {
  const ago = (days: number) => new Date(now.getTime() - days * day);
  const after = (start: Date, minutes: number) => new Date(start.getTime() + minutes * 60_000);
  return [
    {
      name: 'Autumn lights',
      status: 'completed',
      text: 'The autumn lights are here: warm, dimmable, made of oak. Have a look before the weekend.',
      audience: 'Everybody who may be written to',
      createdAt: ago(21),
      startedAt: ago(20),
      completedAt: after(ago(20), 12),
      recipients: contacts.map((contact, place) =>
        recipient(contact, outcomes[place % outcomes.length] ?? 'sent', place),
      ),
    },
    {
      name: 'Studio open day',
      status: 'paused',
      text: 'On Saturday the studio is open from ten to four, with coffee and a wheel to try.',
      audience: 'Contacts in Portugal',
      createdAt: ago(3),
      startedAt: ago(2),
      pausedAt: after(ago(2), 4),
      recipients: contacts
        .slice(0, 24)
        .map((contact, place) => recipient(contact, place < 9 ? 'delivered' : 'pending', place)),
    },
    {
      name: 'Winter sale',
      status: 'draft',
      text: 'Winter sale: twenty per cent off everything made of wool.',
      audience: 'Everybody who may be written to',
      createdAt: ago(1),
      recipients: contacts.map((contact, place) => recipient(contact, 'pending', place)),
    },
  ];
}

const outcomes = [
  'read',
  'read',
  'delivered',
  'read',
  'sent',
  'read',
  'delivered',
  'failed',
  'read',
  'read',
] as const;

function recipient(contact: Contact, status: RecipientScript['status'], place: number): RecipientScript {
  const base = { contactId: contact.id, address: contact.phone };
  if (contact.blocked) return { ...base, status: 'skipped', skipReason: 'blocked' };
  if (!contact.subscribed) return { ...base, status: 'skipped', skipReason: 'unsubscribed' };
  if (contact.phone === null) return { ...base, status: 'skipped', skipReason: 'no_address' };
  return { ...base, status, replied: status === 'read' && place % 4 === 0 };
}
