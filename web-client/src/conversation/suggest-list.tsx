import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../app/trpc.ts';
import type { Choice, useSuggest } from './use-suggest.ts';

interface Props {
  id: string;
  suggest: ReturnType<typeof useSuggest>;
  conversation: string;
}

/** What can be put in, above the text; a quick reply is shown as the customer would read it. */
export function SuggestList({ id, suggest, conversation }: Props) {
  const { t } = useLingui();
  const { reply } = suggest;
  const preview = useQuery(
    trpc.quickReplies.preview.queryOptions(
      { quick_reply: reply ?? '', conversation },
      { enabled: suggest.open && reply !== undefined },
    ),
  );
  if (!suggest.open) return null;
  const take = (choice: Choice) => suggest.choose(choice);
  return (
    <div className="thread-suggest">
      <ul id={id} role="listbox" aria-label={t`Suggestions`}>
        {suggest.choices.map((choice, n) => (
          <li
            key={choice.key}
            id={`${id}-${n}`}
            role="option"
            aria-selected={n === suggest.at}
            // The text keeps the focus.
            onPointerDown={(event) => {
              event.preventDefault();
              take(choice);
            }}
          >
            <strong>{choice.label}</strong>
            <span>{choice.hint}</span>
          </li>
        ))}
      </ul>
      {reply !== undefined && (
        <div
          className="thread-preview wrapped"
          dir="auto"
          role="note"
          aria-label={t`As the customer reads it`}
        >
          {preview.data?.data.text}
          {preview.data?.data.media && <em>{preview.data.data.media.filename}</em>}
        </div>
      )}
    </div>
  );
}
