import type { Choice, useSuggest } from './use-suggest.ts';

/** What can be put in, above the text. */
export function SuggestList({ id, suggest }: { id: string; suggest: ReturnType<typeof useSuggest> }) {
  if (!suggest.open) return null;
  const take = (choice: Choice) => suggest.choose(choice);
  return (
    <ul id={id} role="listbox" aria-label="Suggestions" className="thread-suggest">
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
  );
}
