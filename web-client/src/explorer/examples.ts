/** What the tabs of a first visit have in them. */
export const examples: readonly string[] = [
  `query LatestContacts {
  contacts(first: 5) {
    items {
      id
      name
      phone
      tags {
        name
      }
    }
    hasMore
    nextCursor
  }
}
`,
  `mutation NewContact {
  createContact(input: { name: "Ana Sousa", email: "ana@example.com" }) {
    id
    name
  }
}
`,
  `# Runs until you stop it. In live mode it tells of everything that happens from now on.
subscription EverythingThatHappens {
  events {
    sequence
    type
    event {
      object
    }
  }
}
`,
];
