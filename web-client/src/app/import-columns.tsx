import { Trans, useLingui } from '@lingui/react/macro';
import { NativeSelect, Text } from '@mantine/core';
import type { CsvOutline } from './import-file.ts';
import { inWords } from './words.ts';

interface Props {
  outline: CsvOutline;
  chosen: readonly (string | null)[];
  onChange(chosen: readonly (string | null)[]): void;
}

/** Which column of the records each column of a file is, as the header says until somebody says otherwise. */
export function ImportColumns({ outline: { titles, samples, known }, chosen, onChange }: Props) {
  const { t } = useLingui();
  const choose = (at: number, name: string) =>
    // Nothing is read from two columns: the one that had it gives it up.
    onChange(
      chosen.map((old, index) => (index === at ? name || null : name !== '' && old === name ? null : old)),
    );
  return (
    <div role="group" aria-label={t`Columns of the file`}>
      <Text fw={600} size="sm">
        <Trans>Columns of the file</Trans>
      </Text>
      <div className="import-columns">
        {titles.map((title, at) => (
          <div key={`${at} ${title}`}>
            <div>
              <Text size="sm" fw={500}>
                {title || t`Column ${at + 1}`}
              </Text>
              <Text size="sm" c="dimmed" truncate>
                {samples
                  .map((row) => row[at])
                  .filter(Boolean)
                  .join(', ') || t`Empty`}
              </Text>
            </div>
            <NativeSelect
              aria-label={t`${title || t`Column ${at + 1}`} is`}
              value={chosen[at] ?? ''}
              data={[
                { value: '', label: t`Not imported` },
                ...known.map((name) => ({ value: name, label: inWords(name) })),
              ]}
              onChange={(event) => choose(at, event.currentTarget.value)}
            />
          </div>
        ))}
      </div>
    </div>
  );
}
