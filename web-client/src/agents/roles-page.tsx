import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Checkbox, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Scope, scopeNames, scopes } from '../../../schema/scopes.ts';
import { useProfile } from '../account/use-profile.ts';
import { Confirm } from '../app/confirm.tsx';
import { FailureAlert } from '../app/failure-alert.tsx';
import { Page } from '../app/page.tsx';
import { QueryState } from '../app/query-state.tsx';
import { told } from '../app/toast.ts';
import { type inferOutput, queryClient, trpc } from '../app/trpc.ts';
import { useSubmit } from '../app/use-submit.ts';
import './roles.css';

type Role = inferOutput<typeof trpc.roles.list>['data'][number];

const refresh = () => queryClient.invalidateQueries(trpc.roles.list.queryFilter());

/** The matrix of roles and scopes. */
export function RolesPage() {
  const { t } = useLingui();
  const roles = useQuery(trpc.roles.list.queryOptions({}));
  const [editing, setEditing] = useState<Role | 'new' | null>(null);
  const [deleting, setDeleting] = useState<Role | null>(null);
  const remove = useMutation(trpc.roles.delete.mutationOptions());
  return (
    <Page
      title={t`Roles`}
      description={t`What each role may do. A change counts at once, for keys too. Managing the team needs the role Owner or Admin, whatever its scopes.`}
      actions={
        <Button onClick={() => setEditing('new')}>
          <Trans>New role</Trans>
        </Button>
      }
    >
      <QueryState query={roles} rows={scopeNames.length}>
        {({ data }) => <Matrix roles={data} onEdit={setEditing} onDelete={setDeleting} />}
      </QueryState>
      <Modal
        opened={editing !== null}
        onClose={() => setEditing(null)}
        title={editing === 'new' ? t`New role` : editing?.name}
      >
        {editing !== null && (
          <Edit role={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
        )}
      </Modal>
      <Confirm
        title={deleting === null ? null : t`Delete the role ${deleting.name}?`}
        action={t`Delete`}
        onClose={() => setDeleting(null)}
        run={async () => {
          await remove.mutateAsync({ role: deleting?.id ?? '' });
          await refresh();
          told(t`The role is deleted.`);
        }}
      >
        <Trans>Nobody may have it any more.</Trans>
      </Confirm>
    </Page>
  );
}

interface MatrixProps {
  roles: readonly Role[];
  onEdit(role: Role): void;
  onDelete(role: Role): void;
}

function Matrix({ roles, onEdit, onDelete }: MatrixProps) {
  const { t } = useLingui();
  return (
    // Wide tables scroll in a frame that the keyboard reaches, never the page.
    <div className="roles" role="region" aria-label={t`Roles and their scopes`} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">
              <Trans>Scope</Trans>
            </th>
            {roles.map((role) => (
              <th key={role.id} scope="col">
                <Text fw={600} component="div">
                  {role.name}
                </Text>
                <Text size="sm" c="dimmed" component="div">
                  {role.agents_count === 1 ? t`1 agent` : t`${role.agents_count} agents`}
                </Text>
                {role.key !== 'owner' && (
                  <Group gap={4} mt={4} wrap="nowrap">
                    <Button
                      size="compact-sm"
                      variant="default"
                      aria-label={t`Edit the role ${role.name}`}
                      onClick={() => onEdit(role)}
                    >
                      <Trans>Edit</Trans>
                    </Button>
                    {role.key === null && (
                      <Button
                        size="compact-sm"
                        variant="default"
                        aria-label={t`Delete the role ${role.name}`}
                        onClick={() => onDelete(role)}
                      >
                        <Trans>Delete</Trans>
                      </Button>
                    )}
                  </Group>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {scopeNames.map((scope) => (
            <tr key={scope}>
              <th scope="row">
                <div>{scopes[scope].title}</div>
                <Text size="sm" c="dimmed" component="div" fw={400}>
                  {scopes[scope].text}
                </Text>
              </th>
              {roles.map((role) => {
                const held = role.permissions.includes(scope);
                return (
                  <td key={role.id} data-held={held}>
                    <span aria-hidden="true">{held ? '✓' : '–'}</span>
                    <span className="visually-hidden">{held ? t`yes` : t`no`}</span>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Edit({ role, onClose }: { role: Role | null; onClose(): void }) {
  const { t } = useLingui();
  const { scopes: own } = useProfile();
  const [held, setHeld] = useState<readonly Scope[]>(role?.permissions ?? []);
  const create = useMutation(trpc.roles.create.mutationOptions());
  const update = useMutation(trpc.roles.update.mutationOptions());
  const { onSubmit, pending, errorOf, failure } = useSubmit(
    async ({ name = '' }) => {
      const permissions = [...held];
      if (role) await update.mutateAsync({ role: role.id, name, permissions });
      else await create.mutateAsync({ name, permissions });
      await refresh();
      told(role ? t`The role is saved.` : t`The role is made.`);
      onClose();
    },
    ['name'],
  );
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="md">
        {failure && <FailureAlert failure={failure} />}
        <TextInput
          name="name"
          label={t`Name`}
          autoComplete="off"
          required
          withAsterisk={false}
          data-autofocus
          defaultValue={role?.name}
          error={errorOf('name')}
        />
        <Checkbox.Group label={t`May`} value={[...held]} onChange={setHeld}>
          <Stack gap="sm" mt="xs">
            {scopeNames.map((scope) => {
              const lacking = !own.includes(scope) && !role?.permissions.includes(scope);
              return (
                <Checkbox
                  key={scope}
                  value={scope}
                  label={scopes[scope].title}
                  description={
                    lacking ? t`You do not hold this yourself, so you can’t grant it.` : scopes[scope].text
                  }
                  disabled={lacking}
                />
              );
            })}
          </Stack>
        </Checkbox.Group>
        <Button type="submit" loading={pending}>
          <Trans>Save</Trans>
        </Button>
      </Stack>
    </form>
  );
}
