/**
 * Everything a key or a role can be granted. Names equal the platform's own permission names.
 * Source: API document, "Authentication"; decisions §3 for the two legacy abilities.
 */
export const scopes = {
  'contacts.view': { title: 'View contacts', text: 'Read contacts and the notes about them.' },
  'contacts.manage': { title: 'Manage contacts', text: 'Create, change, tag and delete contacts.' },
  'inbox.access': {
    title: 'Use the inbox',
    text: 'Read and send messages, work on conversations, list tags, upload media.',
  },
  'tags.manage': { title: 'Manage tags', text: "Create, rename and delete the company's own tags." },
  'quick-replies.manage': { title: 'Manage quick replies', text: 'List and create saved quick replies.' },
  'commerce.view': { title: 'View commerce', text: 'Read products and orders.' },
  'commerce.manage': { title: 'Manage commerce', text: 'Change products, create and advance orders.' },
  'campaigns.view': { title: 'View campaigns', text: 'Read campaigns and their statistics.' },
  'campaigns.manage': { title: 'Manage campaigns', text: 'Pause, resume and cancel campaigns.' },
  'calendar.view': { title: 'View calendar', text: 'Read bookings and availability.' },
  'calendar.manage': { title: 'Manage calendar', text: 'Create, change and delete bookings.' },
} as const;

export type Scope = keyof typeof scopes;
export const scopeNames = Object.keys(scopes) as Scope[];

/** Abilities of the legacy bookings endpoints; may be ticked on a key directly. */
export const legacyAbilities = ['bookings.read', 'bookings.write'] as const;
export type LegacyAbility = (typeof legacyAbilities)[number];

export type Grant = Scope | LegacyAbility;
export const grantNames: readonly Grant[] = [...scopeNames, ...legacyAbilities];

/** Which scope confers which legacy ability. Kept in one place so that the strict reading is one change. */
export const conferredAbilities: Partial<Record<Scope, readonly LegacyAbility[]>> = {
  'calendar.view': ['bookings.read'],
  'calendar.manage': ['bookings.read', 'bookings.write'],
};

/** The roles every company starts with; their permissions can be edited (decisions §15). */
export const systemRoles = {
  owner: scopeNames,
  admin: scopeNames,
  agent: [
    'contacts.view',
    'contacts.manage',
    'inbox.access',
    'quick-replies.manage',
    'commerce.view',
    'commerce.manage',
    'campaigns.view',
    'calendar.view',
    'calendar.manage',
  ],
} as const satisfies Record<string, readonly Scope[]>;

export type SystemRole = keyof typeof systemRoles;
