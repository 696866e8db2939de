import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import type { CsvResource, ImportResult } from './import-file.ts';
import { countsOf } from './import-job.ts';
import { number } from './words.ts';
import { saveFile } from './save-file.ts';

interface Props {
  resource: CsvResource;
  result: ImportResult;
  rejected: string;
}

/** What an import made, or would make, and the rows that it refused. */
export function ImportOutcome({ resource, result, rejected }: Props) {
  const { t } = useLingui();
  const { dry_run, failed, errors, ignored_columns } = result;
  const counts = countsOf(result);
  return (
    <Stack gap="sm" role="status">
      <Text fw={600}>
        {dry_run ? t`Nothing is kept yet. It would be: ${counts}` : t`Imported: ${counts}`}
      </Text>
      {ignored_columns.length > 0 && (
        <Text size="sm">
          <Trans>Nothing is read from the columns {ignored_columns.join(', ')}.</Trans>
        </Text>
      )}
      {errors.length > 0 && (
        <ul className="import-errors">
          {errors.map(({ line, param, message }) => (
            <li key={`${line} ${message}`}>
              <Trans>Line {line}:</Trans> {param !== null && `${param}: `}
              {message}
            </li>
          ))}
          {failed > errors.length && (
            <li>
              <Trans>and {number.format(failed - errors.length)} more</Trans>
            </li>
          )}
        </ul>
      )}
      {rejected !== '' && (
        <Group>
          <Button
            variant="default"
            onClick={() => saveFile(rejected, `${resource}.rejected.csv`, 'text/csv')}
          >
            <Trans>Download the refused rows</Trans>
          </Button>
        </Group>
      )}
    </Stack>
  );
}
