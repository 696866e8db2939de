import { Trans, useLingui } from '@lingui/react/macro';
import { EmojiPicker as Picker } from 'frimousse';
import { currentLanguage } from '../language/language.ts';
import './emoji.css';
import { loadEmoji } from './emoji-data.ts';

/** All emoji to look through, by group or by word. */
export function EmojiPicker({ onChoose }: { onChoose(emoji: string): void }) {
  const { t } = useLingui();
  return (
    <Picker.Root
      className="emoji"
      columns={8}
      locale={currentLanguage()}
      resolveEmojiData={(_locale, { signal }) => loadEmoji(signal)}
      onEmojiSelect={({ emoji }) => onChoose(emoji)}
    >
      <div className="emoji-head">
        <Picker.Search
          className="emoji-search"
          aria-label={t`Find an emoji`}
          placeholder={t`Find an emoji`}
          data-autofocus
        />
        <Picker.SkinToneSelector className="emoji-one" aria-label={t`Skin tone`} />
      </div>
      <Picker.Viewport className="emoji-view" tabIndex={0} role="group" aria-label={t`All emoji`}>
        <Picker.Loading className="emoji-told">
          <Trans>Loading…</Trans>
        </Picker.Loading>
        <Picker.Empty className="emoji-told">
          <Trans>No emoji has that name.</Trans>
        </Picker.Empty>
        <Picker.List
          aria-label={t`Emoji`}
          components={{
            CategoryHeader: ({ category, ...props }) => (
              <div className="emoji-group" {...props}>
                {category.label}
              </div>
            ),
            // Counted from 1, as ARIA has it. By the number of the row the library finds what it scrolls to, one too
            // early: `scroll-margin` makes up for it.
            Row: ({ 'aria-rowindex': row, ...props }) => (
              <div className="emoji-row" aria-rowindex={row === undefined ? row : row + 1} {...props} />
            ),
            Emoji: ({ emoji, 'aria-colindex': column, ...props }) => (
              <button
                type="button"
                className="emoji-one"
                title={emoji.label}
                aria-colindex={(column ?? 0) + 1}
                {...props}
              >
                {emoji.emoji}
              </button>
            ),
          }}
        />
      </Picker.Viewport>
    </Picker.Root>
  );
}
