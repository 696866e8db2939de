import { Trans, useLingui } from '@lingui/react/macro';
import { ActionIcon, Button, Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { BookmarkPlus, Ellipsis, Pencil, Save, Trash2, Users } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Confirm } from '../app/confirm.tsx';
import { currentMode } from '../app/mode.ts';
import { send } from '../app/send.ts';
import { refused, told } from '../app/toast.ts';
import { trpc } from '../app/trpc.ts';
import { refreshSavedViews, type SavedView, useSavedViews, useShares } from './saved-views.ts';
import { type InboxSearch, isNarrowed, savedFiltersOf, searchOfSaved } from './search.ts';

const SaveViewDialog = lazy(async () => ({
  default: (await import('./save-view-dialog.tsx')).SaveViewDialog,
}));

/** Keeps what the list is narrowed by under a name, and changes what was kept. */
export function SavedViewBar({ search }: { search: InboxSearch }) {
  const { t } = useLingui();
  const navigate = useNavigate({ from: '/inbox' });
  const { own, shared } = useSavedViews();
  const shares = useShares();
  const [asked, setAsked] = useState<'new' | 'rename' | 'delete' | null>(null);
  const saved = [...own, ...shared].find(({ id }) => id === search.saved);
  const changed = saved !== undefined && isDifferent(saved, search);
  if (!saved && !isNarrowed(search) && search.sort === undefined) return null;
  const close = () => setAsked(null);
  const update = (change: Parameters<typeof save>[1], done: string) => {
    if (saved) save(saved, change).then(() => told(done), refused);
  };
  return (
    <div className="saved-bar">
      {(!saved || changed) && (
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<BookmarkPlus size={15} aria-hidden />}
          onClick={() => setAsked('new')}
        >
          {saved ? t`Save as new view` : t`Save view`}
        </Button>
      )}
      {saved?.editable && changed && (
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<Save size={15} aria-hidden />}
          onClick={() => update({ filters: { ...savedFiltersOf(search) } }, t`“${saved.name}” is changed.`)}
        >
          <Trans>Update view</Trans>
        </Button>
      )}
      {saved?.editable && (
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <ActionIcon
              className="saved-more"
              variant="subtle"
              color="gray"
              size={28}
              aria-label={t`Change the view ${saved.name}`}
            >
              <Ellipsis size={16} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<Pencil size={16} aria-hidden />} onClick={() => setAsked('rename')}>
              <Trans>Rename…</Trans>
            </Menu.Item>
            {shares && (
              <Menu.Item
                leftSection={<Users size={16} aria-hidden />}
                onClick={() =>
                  update(
                    { shared: !saved.shared },
                    saved.shared ? t`“${saved.name}” is shared no longer.` : t`“${saved.name}” is shared.`,
                  )
                }
              >
                {saved.shared ? t`Stop sharing` : t`Share with the company`}
              </Menu.Item>
            )}
            <Menu.Item leftSection={<Trash2 size={16} aria-hidden />} onClick={() => setAsked('delete')}>
              <Trans>Delete…</Trans>
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      {(asked === 'new' || (asked === 'rename' && saved)) && (
        <Suspense>
          <SaveViewDialog
            view={asked === 'rename' ? (saved ?? null) : null}
            shares={shares}
            onClose={close}
            save={async (values) => {
              if (asked === 'rename' && saved) return save(saved, { name: values.name });
              const { data } = await send(trpc.savedViews.create.mutationOptions(), {
                resource: 'conversations',
                filters: { ...savedFiltersOf(search) },
                ...values,
              });
              await refreshSavedViews();
              await navigate({
                search: (now) => ({ ...searchOfSaved(data.id, data.filters), open: now.open }),
              });
            }}
          />
        </Suspense>
      )}
      <Confirm
        title={asked === 'delete' && saved ? t`Delete the view “${saved.name}”?` : null}
        action={t`Delete`}
        onClose={close}
        run={async () => {
          if (!saved) return;
          await send(trpc.savedViews.delete.mutationOptions(), { view: saved.id });
          await navigate({ search: (now) => ({ ...now, saved: undefined }) });
          await refreshSavedViews();
        }}
      >
        {saved?.shared
          ? t`Nobody in the company will have it any more. The conversations stay as they are, in ${currentMode()} mode.`
          : t`Its conversations stay as they are, in ${currentMode()} mode.`}
      </Confirm>
    </div>
  );
}

interface Change {
  name?: string;
  shared?: boolean;
  filters?: Record<string, unknown>;
}

/** @throws what the server refuses: somebody has changed the view meanwhile, for example */
async function save({ id, version }: SavedView, change: Change): Promise<void> {
  try {
    await send(trpc.savedViews.update.mutationOptions(), { view: id, version, ...change });
  } finally {
    await refreshSavedViews();
  }
}

function isDifferent({ id, filters }: SavedView, search: InboxSearch): boolean {
  const kept = savedFiltersOf(searchOfSaved(id, filters));
  return textOf(kept) !== textOf(savedFiltersOf(search));
}

function textOf(filters: object): string {
  return JSON.stringify(Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1)));
}
