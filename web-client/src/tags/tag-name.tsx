import { Group } from '@mantine/core';
import { inkOn } from './contrast.ts';
import './tags.css';

interface NamedTag {
  id: string;
  name: string;
  color: string;
}

/** A tag in its colour, with its name in black or white, whichever can be read on it. */
export function TagName({ tag: { name, color } }: { tag: Pick<NamedTag, 'name' | 'color'> }) {
  return (
    <span className="tag" style={{ background: color, color: inkOn(color).ink }}>
      {name}
    </span>
  );
}

/** The tags of a record, in a line; at most `most`, then how many more there are. */
export function TagNames({ tags, most = 100 }: { tags: readonly NamedTag[]; most?: number }) {
  if (tags.length === 0) return null;
  const rest = tags.slice(most);
  return (
    <Group gap={4}>
      {tags.slice(0, most).map((tag) => (
        <TagName key={tag.id} tag={tag} />
      ))}
      {rest.length > 0 && (
        <span className="tag-rest" title={rest.map(({ name }) => name).join(', ')}>
          +{rest.length}
        </span>
      )}
    </Group>
  );
}
