import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { Conversation } from '../../../schema/conversations.ts';
import { serverNow } from '../app/clock.ts';
import { trpc } from '../app/trpc.ts';
import { inWords } from '../app/words.ts';
import { ChoiceDialog } from '../keyboard/choice-dialog.tsx';
import { dateFormat } from '../language/formats.ts';

type TagRef = Conversation['tags'][number];

/** Asks for an agent. */
export function AgentDialog({
  onChoose,
  onClose,
}: {
  onChoose(agent: { name: string; email: string }): void;
  onClose(): void;
}) {
  const { t } = useLingui();
  const { data } = useQuery(trpc.agents.list.queryOptions({}));
  const agents = (data?.data ?? []).filter(({ deactivated_at }) => deactivated_at === null);
  return (
    <ChoiceDialog
      title={t`Assign to`}
      placeholder={t`Name or e-mail`}
      empty={data ? t`There is nobody yet.` : t`Loading…`}
      onClose={onClose}
      choices={agents
        .toSorted((a, b) => Number(b.is_me) - Number(a.is_me))
        .map(({ id, name, email, is_me, availability }) => ({
          id,
          label: is_me ? t`${name} (you)` : name,
          hint: `${email} · ${inWords(availability)}`,
        }))}
      onChoose={(id) => {
        const agent = agents.find((one) => one.id === id);
        if (agent) onChoose(agent);
      }}
    />
  );
}

/** Asks for a tag; those in `attached` are marked. */
export function TagDialog({
  title,
  attached,
  onChoose,
  onClose,
}: {
  title: string;
  attached: readonly string[];
  onChoose(tag: TagRef): void;
  onClose(): void;
}) {
  const { t } = useLingui();
  const { data } = useQuery(trpc.tags.list.queryOptions({ limit: 100 }));
  const tags = data?.data ?? [];
  return (
    <ChoiceDialog
      title={title}
      placeholder={t`Name of the tag`}
      empty={data ? t`The company has no tags yet.` : t`Loading…`}
      onClose={onClose}
      choices={tags.map(({ id, name, color }) => ({
        id,
        label: name,
        hint: attached.includes(id) ? t`attached: choose to take it off` : undefined,
        mark: <span className="row-dot" style={{ background: color }} />,
      }))}
      onChoose={(id) => {
        const tag = tags.find((one) => one.id === id);
        if (tag) onChoose({ id: tag.id, name: tag.name, color: tag.color });
      }}
    />
  );
}

const moment = dateFormat({ weekday: 'long', hour: '2-digit', minute: '2-digit' });

/** Asks how long to be silent. Null is without end. */
export function MuteDialog({ onChoose, onClose }: { onChoose(until: string | null): void; onClose(): void }) {
  const { t } = useLingui();
  const ends = [
    { id: 'hour', label: t`For an hour`, at: inHours(1) },
    { id: 'evening', label: t`For four hours`, at: inHours(4) },
    { id: 'morning', label: t`Until tomorrow morning`, at: morningIn(1) },
    { id: 'week', label: t`For a week`, at: morningIn(7) },
  ];
  return (
    <ChoiceDialog
      title={t`Mute`}
      placeholder={t`How long?`}
      onClose={onClose}
      choices={[
        ...ends.map(({ id, label, at }) => ({ id, label, hint: moment.format(at) })),
        { id: 'always', label: t`Until somebody switches it on again` },
      ]}
      onChoose={(id) => onChoose(ends.find((end) => end.id === id)?.at.toISOString() ?? null)}
    />
  );
}

function inHours(hours: number): Date {
  return new Date(serverNow() + hours * 3_600_000);
}

/** Eight o'clock where the agent is. */
function morningIn(days: number): Date {
  const date = new Date();
  date.setDate(date.getDate() + days);
  date.setHours(8, 0, 0, 0);
  return date;
}
