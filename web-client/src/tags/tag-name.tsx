import { Group } from '@mantine/core';
import './tags.css';

interface NamedTag {
  id: string;
  name: string;
  color: string;
}

/** A tag: its colour beside its name, never behind it, so that any colour can be read. */
export function TagName({ tag: { name, color } }: { tag: Pick<NamedTag, 'name' | 'color'> }) {
  return (
    <span className="tag">
      <span className="tag-colour" style={{ background: color }} />
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
        <span className="tag" title={rest.map(({ name }) => name).join(', ')}>
          +{rest.length}
        </span>
      )}
    </Group>
  );
}
