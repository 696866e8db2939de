import { Trans, useLingui } from '@lingui/react/macro';
import { Anchor, Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { scopeNames } from '../../../schema/scopes.ts';
import { useProfile } from '../account/use-profile.ts';
import { Page } from '../app/page.tsx';
import { refused, told } from '../app/toast.ts';
import { queryClient, trpc } from '../app/trpc.ts';

const hours = 24;

/** The public reference of this server, with a key to try it if one wants. */
export function ReferencePage() {
  const { t } = useLingui();
  const { role } = useProfile();
  const frame = useRef<HTMLIFrameElement>(null);
  const [ready, setReady] = useState(false);
  const create = useMutation(trpc.keys.create.mutationOptions({ gcTime: 0, onError: refused }));
  useEffect(() => {
    const hear = ({ source, origin, data }: MessageEvent) => {
      if (origin === location.origin && source === frame.current?.contentWindow && data === 'reference ready')
        setReady(true);
    };
    addEventListener('message', hear);
    return () => removeEventListener('message', hear);
  }, []);
  const useTestKey = async () => {
    const { data } = await create.mutateAsync({
      name: 'API reference',
      mode: 'test',
      scopes: [...scopeNames],
      expires_at: new Date(Date.now() + hours * 3_600_000).toISOString(),
    });
    create.reset();
    frame.current?.contentWindow?.postMessage({ token: data.key }, location.origin);
    told(t`Requests that you try are sent with a new test key. It changes nothing, and ends in 24 hours.`);
    await queryClient.invalidateQueries(trpc.keys.list.queryFilter());
  };
  return (
    <Page
      title={t`REST reference`}
      description={t`Every operation of this server, with examples in many languages. It can be read without signing in, at /docs.`}
      actions={
        role.key === 'owner' && (
          <Button
            disabled={!ready}
            loading={create.isPending}
            onClick={() => void useTestKey().catch(() => {})}
          >
            <Trans>Try it with a new test key</Trans>
          </Button>
        )
      }
    >
      <Group gap="md">
        <Anchor href="/api/v1/openapi.json" download="openapi.json">
          <Trans>Download OpenAPI 3.1 (JSON)</Trans>
        </Anchor>
        <Anchor href="/api/v1/openapi.yaml" download="openapi.yaml">
          <Trans>Download OpenAPI 3.1 (YAML)</Trans>
        </Anchor>
        <Anchor href="/docs/postman.json" download="parlour.postman_collection.json">
          <Trans>Collection for Postman</Trans>
        </Anchor>
        <Anchor href="/docs/bruno.zip" download="parlour-bruno.zip">
          <Trans>Collection for Bruno</Trans>
        </Anchor>
        <Anchor href="/docs" target="_blank" rel="noopener">
          <Trans>Open in a tab of its own</Trans>
        </Anchor>
      </Group>
      {role.key !== 'owner' && (
        <Text size="sm" c="dimmed">
          <Trans>To try requests here you need an API key; the Owner makes them.</Trans>
        </Text>
      )}
      <iframe ref={frame} className="developers-frame" title={t`REST reference`} src="/docs" />
    </Page>
  );
}
