import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Group, Modal, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Conversation } from '../../../schema/conversations.ts';
import { type Failure, failureOf } from '../app/failure.ts';
import { FailureAlert } from '../app/failure-alert.tsx';
import { QueryState } from '../app/query-state.tsx';
import { send } from '../app/send.ts';
import { told } from '../app/toast.ts';
import { trpc } from '../app/trpc.ts';
import { newId } from './stored.ts';
import { readTemplate, variablesOf } from './template.ts';
import { catchUp } from './thread-data.ts';

interface Props {
  conversation: Conversation;
  onClose(): void;
}

/** Sends a template that the channel's provider has approved. */
export function TemplateDialog({ conversation, onClose }: Props) {
  const { t } = useLingui();
  const query = useQuery(trpc.conversations.templates.queryOptions({ conversation: conversation.id }));
  return (
    <Modal opened onClose={onClose} title={t`Send a template`} size="lg">
      <QueryState query={query} rows={4}>
        {({ data }) =>
          data.length === 0 ? (
            <Text>
              <Trans>
                The channel has no approved template. They are made and approved at the provider, not here.
              </Trans>
            </Text>
          ) : (
            <Chosen conversation={conversation} templates={data} onClose={onClose} />
          )
        }
      </QueryState>
    </Modal>
  );
}

type Template = Parameters<typeof readTemplate>[0];

function Chosen({ conversation, templates, onClose }: Props & { templates: readonly Template[] }) {
  const { t } = useLingui();
  const [at, setAt] = useState(0);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [ref] = useState(newId);
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const template = templates[at];
  if (!template) return null;
  const { name, language } = template;
  const variables = variablesOf(template);
  const submit = async () => {
    setPending(true);
    setFailure(null);
    const filled = variables.map((variable) => [variable, values[variable]?.trim() ?? ''] as const);
    try {
      await send(trpc.messages.send.mutationOptions(), {
        conversation: conversation.id,
        client_ref: ref,
        template: {
          name,
          language,
          ...(filled.length === 0 ? {} : { variables: Object.fromEntries(filled) }),
        },
      });
    } catch (error) {
      const known = failureOf(error);
      // The answer to an earlier try was lost: the server has it.
      if (known.param !== 'client_ref') {
        setFailure(known);
        return setPending(false);
      }
    }
    await catchUp(conversation.id).catch(() => {});
    told(t`The template is on its way.`);
    onClose();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Stack gap="md">
        {failure && <FailureAlert failure={failure} />}
        <NativeSelect
          label={t`Template`}
          value={String(at)}
          data={templates.map((one, n) => ({
            value: String(n),
            label: `${one.name} (${one.language})`,
          }))}
          onChange={({ currentTarget: { value } }) => {
            setAt(Number(value));
            setValues({});
          }}
        />
        {variables.map((variable) => (
          <TextInput
            key={variable}
            label={t`Value of ${variable}`}
            required
            maxLength={1024}
            value={values[variable] ?? ''}
            onChange={({ currentTarget: { value } }) => setValues({ ...values, [variable]: value })}
          />
        ))}
        <div
          className="thread-preview wrapped"
          dir="auto"
          role="note"
          aria-label={t`As the customer reads it`}
        >
          {readTemplate(template, values)}
        </div>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" loading={pending}>
            <Trans>Send</Trans>
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
