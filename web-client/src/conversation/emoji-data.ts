import english from 'emojibase-data/en/compact.json?url';
import englishNames from 'emojibase-data/en/messages.json?url';
import spanish from 'emojibase-data/es/compact.json?url';
import spanishNames from 'emojibase-data/es/messages.json?url';
import portuguese from 'emojibase-data/pt/compact.json?url';
import portugueseNames from 'emojibase-data/pt/messages.json?url';
import type { EmojiData } from 'frimousse';
import { currentLanguage } from '../language/language.ts';

interface Entry {
  label: string;
  unicode: string;
  /** None: a part that makes no picture by itself. */
  group?: number;
  tags?: string[];
  skins?: { unicode: string }[];
}

interface Names {
  groups: { message: string; order: number }[];
  skinTones: { key: 'light' | 'medium-light' | 'medium' | 'medium-dark' | 'dark'; message: string }[];
}

const tones = ['light', 'medium-light', 'medium', 'medium-dark', 'dark'] as const;
/** Skin tones and hair, which only change others. */
const components = 2;
/** Nobody has named them in Arabic: English then. */
const files = {
  en: [english, englishNames],
  es: [spanish, spanishNames],
  'pt-BR': [portuguese, portugueseNames],
  ar: [english, englishNames],
} as const;

/** All emoji with their names and words in the language of the page; files of ours, asked for once. */
export async function loadEmoji(signal?: AbortSignal): Promise<EmojiData> {
  const [entries, names] = await Promise.all(
    files[currentLanguage()].map(async (file) => {
      const response = await fetch(file, signal ? { signal } : {});
      if (!response.ok) throw new Error(`${file} is not there.`);
      return response.json() as Promise<unknown>;
    }),
  );
  const { groups, skinTones } = names as Names;
  return {
    locale: currentLanguage(),
    emojis: (entries as Entry[]).flatMap(({ label, unicode, group, tags = [], skins }) =>
      group === undefined || group === components
        ? []
        : [{ emoji: unicode, category: group, label, version: 0, tags, ...inTones(skins) }],
    ),
    categories: groups
      .filter(({ order }) => order !== components)
      .map(({ order, message }) => ({ index: order, label: message })),
    skinTones: Object.fromEntries(
      skinTones.map(({ key, message }) => [key, message]),
    ) as EmojiData['skinTones'],
  };
}

/** Of two people there are more than five: then the first five, which have one tone for both. */
function inTones(skins: Entry['skins']) {
  if (!skins || skins.length < tones.length) return {};
  const five = tones.map((tone, n) => [tone, skins[n]?.unicode ?? ''] as const);
  return { skins: Object.fromEntries(five) as Record<(typeof tones)[number], string> };
}

/** Those whose name, or a word for them, begins with `text`; names first. */
export function findEmoji({ emojis }: EmojiData, text: string, limit: number) {
  const wanted = text.toLocaleLowerCase().replaceAll('_', ' ');
  const rank = ({ label, tags }: EmojiData['emojis'][number]) => {
    const name = label.toLocaleLowerCase();
    if (name.startsWith(wanted)) return 0;
    if (tags.includes(wanted)) return 1;
    if (name.split(/[\s:]+/).some((word) => word.startsWith(wanted))) return 2;
    return tags.some((tag) => tag.startsWith(wanted)) ? 3 : 4;
  };
  return emojis
    .map((one) => ({ one, rank: rank(one) }))
    .filter((found) => found.rank < 4)
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, limit)
    .map(({ one }) => one);
}
