import { explorerPage } from '../http/dashboard.ts';

/** What the sign-in page and the banner tell about the demo company. */
export type DemoFacts = {
  company: { id: string; name: string };
  keys: { live: string; test: string };
  logins: { email: string; password: string; role: string }[];
};

/** What a person sees when the server is up: where everything is, and a first request to copy. */
export function banner(url: string, demo: DemoFacts | undefined, realtimeKey: string): string {
  const places = [
    '',
    `  Parlour is ready     ${url}`,
    '',
    `  Dashboard            ${url}/`,
    `  API reference        ${url}/docs`,
    `  GraphQL explorer     ${url}${explorerPage}`,
    `  Realtime app key     ${realtimeKey}`,
  ];
  if (!demo) return [...places, ''].join('\n');
  const width = Math.max(...demo.logins.map(({ email }) => email.length));
  return [
    ...places,
    '',
    `  Demo company         ${demo.company.name} (${demo.company.id})`,
    ...demo.logins.map(
      ({ email, password, role }, index) =>
        `  ${(index === 0 ? 'Demo logins' : '').padEnd(21)}${email.padEnd(width)}  ${password}  (${role})`,
    ),
    `  Live key             ${demo.keys.live}`,
    `  Test key             ${demo.keys.test}   (same answers, changes nothing)`,
    '',
    '  Try it:',
    `  curl -X POST ${url}/api/v1/contacts -H 'Authorization: Bearer ${demo.keys.live}' \\`,
    `    -H 'Content-Type: application/json' -d '{"name":"Ada Lovelace","phone":"+34600111222"}'`,
    '',
  ].join('\n');
}
