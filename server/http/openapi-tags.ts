/** The headings of the document, in the order of the reference. */
export const tags: readonly { name: string; description: string }[] = [
  { name: 'Account', description: 'What a key may do, and for which company.' },
  { name: 'Contacts', description: 'The people the company talks to.' },
  { name: 'Conversations', description: 'The inbox: one thread for each contact and channel.' },
  { name: 'Messages', description: 'What is said in a conversation, and how far it got.' },
  { name: 'Media', description: 'Files to send with a message.' },
  { name: 'Quick replies', description: 'Saved answers with variables.' },
  { name: 'Tags', description: 'Words that contacts and conversations are sorted by.' },
  { name: 'AI assistance', description: 'Suggestions, insights and feedback on what AI wrote.' },
  { name: 'Products', description: 'What is sold, with its stock.' },
  { name: 'Orders', description: 'What was bought, from pending to completed.' },
  { name: 'Campaigns', description: 'Broadcasts to many contacts, with their figures.' },
  { name: 'Bookings', description: 'The calendar: appointments and who is busy.' },
  { name: 'Realtime', description: 'Events as they happen, and channels of the Pusher protocol.' },
  { name: 'Webhooks', description: 'What Parlour sends to your endpoints.' },
];
