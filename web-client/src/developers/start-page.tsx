import { Trans, useLingui } from '@lingui/react/macro';
import { Anchor, List, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useProfile } from '../account/use-profile.ts';
import { failureIn } from '../app/failure.ts';
import { Page, Section } from '../app/page.tsx';
import { CodeBlock } from './code-block.tsx';

/** The first call within a minute, and what comes after it. */
export function StartPage() {
  const { t } = useLingui();
  const { role, company } = useProfile();
  const host = location.origin;
  return (
    <Page
      title={t`Developers`}
      description={t`One API over REST and GraphQL, with a test mode that answers as live does and changes nothing.`}
    >
      <Section title={t`First call`}>
        <Stack gap="sm">
          <Text>
            {role.key === 'owner' ? (
              <>
                <Trans>
                  Make a test key under{' '}
                  <Anchor td="underline" component={Link} to="/settings/keys">
                    <Trans>API keys</Trans>
                  </Anchor>
                  , then:
                </Trans>
              </>
            ) : (
              t`Ask the Owner for a test key, then:`
            )}
          </Text>
          <CodeBlock title={t`The key`}>{`export PARLOUR_KEY='svc_test_…|…'`}</CodeBlock>
          <CodeBlock
            title={t`Who am I`}
          >{`curl ${host}/api/v1/me -H "Authorization: Bearer $PARLOUR_KEY"`}</CodeBlock>
          <CodeBlock title={t`A new contact`}>{`curl ${host}/api/v1/contacts \\
  -H "Authorization: Bearer $PARLOUR_KEY" \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: $(uuidgen)" \\
  -d '{"name": "Ana Sousa", "phone": "912 345 678", "country": "PT"}'`}</CodeBlock>
          <CodeBlock title={t`The same data over GraphQL`}>{`curl ${host}/graphql \\
  -H "Authorization: Bearer $PARLOUR_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"query": "{ contacts(q: \\"ana\\") { items { id name phone } hasMore } }"}'`}</CodeBlock>
          <Text>
            <Trans>
              A key that starts with svc_test_ writes nothing; meta.test.events of its answers has the
              webhooks that live mode would have sent.
            </Trans>
          </Text>
        </Stack>
      </Section>
      <Section
        title={t`Clients`}
        description={t`A client for TypeScript comes with Parlour. The documents make one in any other language.`}
      >
        <Stack gap="sm">
          <CodeBlock title={t`Pack the TypeScript client, where Parlour is installed`}>
            npm pack ./schema/sdk
          </CodeBlock>
          <CodeBlock
            title={t`First call with the TypeScript client`}
          >{`import { createParlour } from '@parlour/client';

const parlour = createParlour({ baseUrl: '${host}', key: process.env.PARLOUR_KEY });
const { data: answer } = await parlour.account.me();`}</CodeBlock>
          <CodeBlock
            title={t`Types for TypeScript`}
          >{`npx openapi-typescript ${host}/api/v1/openapi.json -o parlour.d.ts`}</CodeBlock>
          <CodeBlock
            title={t`A client in your language`}
          >{`npx @openapitools/openapi-generator-cli generate -i ${host}/api/v1/openapi.yaml -g python -o parlour-client`}</CodeBlock>
          <List>
            <List.Item>
              <Anchor td="underline" href="/docs/quick-start" target="_blank" rel="noopener">
                <Trans>Guides, from a first webhook to running it yourself</Trans>
              </Anchor>
            </List.Item>
            <List.Item>
              <Anchor td="underline" href="/api/v1/openapi.json" download="openapi.json">
                <Trans>OpenAPI 3.1 as JSON</Trans>
              </Anchor>
              {', '}
              <Anchor td="underline" href="/api/v1/openapi.yaml" download="openapi.yaml">
                <Trans>as YAML</Trans>
              </Anchor>
            </List.Item>
            <List.Item>
              <Trans>
                <Anchor td="underline" component={Link} to="/developers/rest">
                  <Trans>REST reference</Trans>
                </Anchor>{' '}
                with examples in many languages
              </Trans>
            </List.Item>
            <List.Item>
              <Trans>
                <Anchor td="underline" component={Link} to="/developers/graphql">
                  <Trans>GraphQL explorer</Trans>
                </Anchor>{' '}
                with the whole schema
              </Trans>
            </List.Item>
          </List>
        </Stack>
      </Section>
      <Section
        title={t`Command line`}
        description={t`Where Parlour is installed. Every command takes --json; the exit code tells how it went.`}
      >
        <Stack gap="sm">
          <CodeBlock title={t`All commands`}>npx parlour --help</CodeBlock>
          <CodeBlock
            title={t`A key`}
          >{`npx parlour keys create --company ${company.id} --name backend --mode test --scopes contacts.view,contacts.manage`}</CodeBlock>
          <CodeBlock
            title={t`A file of contacts`}
          >{`npx parlour import contacts --company ${company.id} contacts.csv --dry-run`}</CodeBlock>
        </Stack>
      </Section>
      <Version />
    </Page>
  );
}

/** What this server is. */
function Version() {
  const version = useQuery({
    queryKey: ['version'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const response = await fetch('/version');
      if (!response.ok) throw await failureIn(response);
      return (await response.json()) as { version: string; api: string };
    },
  });
  if (!version.data) return null;
  return (
    <Text size="sm" c="dimmed">
      <Trans>
        Parlour {version.data.version}, API {version.data.api}
      </Trans>
    </Text>
  );
}
