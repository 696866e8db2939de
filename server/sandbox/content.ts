/** The small shop that test keys see. Everybody and everything in it is made up. */

/** Contacts; the first five carry the magic phones, each of which fails in its own way (decisions §13). */
export const contacts = [
  {
    key: 'undeliverable',
    name: 'Odette Varnholt',
    phone: '+15005550001',
    email: 'odette@example.com',
    country: 'US',
  },
  {
    key: 'window',
    name: 'Bruno Castellmar',
    phone: '+15005550002',
    email: 'bruno@example.com',
    country: 'US',
  },
  { key: 'blocked', name: 'Pim Oxenvad', phone: '+15005550003', email: null, country: 'US', blocked: true },
  { key: 'rate', name: 'Livia Torrecampo', phone: '+15005550004', email: 'livia@example.com', country: 'US' },
  {
    key: 'fault',
    name: 'Henrik Sundmoor',
    phone: '+15005550005',
    email: null,
    country: 'US',
    subscribed: false,
  },
  {
    key: 'marina',
    name: 'Marina Solquist',
    phone: '+14155550142',
    email: 'marina@example.com',
    country: 'US',
  },
  { key: 'teo', name: 'Teo Arvendal', phone: '+442079460018', email: 'teo@example.com', country: 'GB' },
] as const satisfies readonly ContactScript[];

export interface ContactScript {
  key: string;
  name: string;
  phone: string;
  email: string | null;
  country: string;
  blocked?: boolean;
  subscribed?: boolean;
}

export type ContactKey = (typeof contacts)[number]['key'];

export const tags = [
  { key: 'vip', name: 'VIP', color: '#B45309', system: false },
  { key: 'lead', name: 'New lead', color: '#2563EB', system: false },
  { key: 'delivery', name: 'Delivery', color: '#059669', system: false },
  { key: 'feedback', name: 'Feedback', color: '#7C3AED', system: true },
] as const;

export type TagKey = (typeof tags)[number]['key'];

export const contactTags: readonly { contact: ContactKey; tag: TagKey }[] = [
  { contact: 'marina', tag: 'vip' },
  { contact: 'teo', tag: 'lead' },
  { contact: 'window', tag: 'lead' },
];

export const products = [
  {
    key: 'lamp',
    name: 'Table lamp “Alba”, oak',
    sku: 'LAMP-ALBA-OAK',
    description: 'Hand-turned oak foot, linen shade, 1.8 m cable. Bulb E27, up to 40 W, not included.',
    price: 8900,
    status: 'active',
    initialStock: 14,
  },
  {
    key: 'mug',
    name: 'Stoneware mug, sea green',
    sku: 'MUG-SEA',
    description: 'Thrown and glazed by hand, 300 ml. Every piece is a little different.',
    price: 1800,
    status: 'active',
    initialStock: 40,
  },
  {
    key: 'workshop',
    name: 'Pottery workshop, Saturday morning',
    sku: null,
    description: 'Three hours at the wheel for beginners, clay and firing included.',
    price: 5500,
    status: 'active',
    initialStock: null,
  },
  {
    key: 'blanket',
    name: 'Wool blanket, winter edition',
    sku: 'BLANKET-W',
    description: 'Last season’s blanket; no longer made.',
    price: 12_000,
    status: 'archived',
    initialStock: 2,
  },
] as const;

export type ProductKey = (typeof products)[number]['key'];

export const quickReplies = [
  {
    shortcut: 'hello',
    title: 'Greeting',
    text: 'Hello {{contact.first_name|there}}, thank you for writing to {{company.name}}. How can I help?',
    variables: ['contact.first_name', 'company.name'],
    category: 'General',
  },
  {
    shortcut: 'on-its-way',
    title: 'Order shipped',
    text: 'Good news: order {{order.number}} left our workshop today. It usually takes two to four working days.',
    variables: ['order.number'],
    category: 'Orders',
  },
  {
    shortcut: 'hours',
    title: 'Opening hours',
    text: 'We are here Monday to Friday from 9 to 18, and on Saturdays until 13. {{agent.name}}',
    variables: ['agent.name'],
    category: 'General',
  },
] as const;

/** Address that the fixtures ship to: a street that does not exist. */
export const address = {
  name: 'Teo Arvendal',
  line1: '12 Nowhere Lane',
  line2: null,
  city: 'Examplebury',
  region: null,
  postal_code: 'EX1 2AB',
  country: 'GB',
  phone: '+442079460018',
};
