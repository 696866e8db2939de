import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Menu } from '@mantine/core';
import { FileSpreadsheet } from 'lucide-react';
import { useState } from 'react';
import { ImportDialog } from './import-dialog.tsx';
import type { CsvResource } from './import-file.ts';
import { useImport } from './import-job.ts';
import { currentMode } from './mode.ts';
import { share } from './words.ts';

interface Props {
  resource: CsvResource;
  /** What the list shows: the file has the same. */
  filters: Record<string, string | number | boolean | undefined>;
  mayImport: boolean;
  onImported(): void;
}

/** The list as a file, and a file into the list. Files have no test mode. */
export function CsvMenu({ resource, filters, mayImport, onImported }: Props) {
  const { t } = useLingui();
  const [importing, setImporting] = useState(false);
  const job = useImport(resource);
  if (currentMode() === 'test') return null;
  const query = new URLSearchParams(
    Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button variant="default" leftSection={<FileSpreadsheet size={16} aria-hidden />}>
            {job?.step === 'running' && !job.dryRun
              ? t`Importing, ${share(Math.min(job.done, job.of), job.of)}`
              : 'CSV'}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item component="a" href={`/csv/${resource}?${query.toString()}`} download>
            <Trans>Export what is shown</Trans>
          </Menu.Item>
          {mayImport && (
            <Menu.Item onClick={() => setImporting(true)}>
              {job?.step === 'running' ? t`Show the import` : t`Import a file…`}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <ImportDialog
        resource={resource}
        opened={importing}
        onClose={() => setImporting(false)}
        onImported={onImported}
      />
    </>
  );
}
