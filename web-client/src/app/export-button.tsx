import { useLingui } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { FileSpreadsheet } from 'lucide-react';
import { currentMode } from './mode.ts';

interface Props {
  /** Of `/csv`. */
  resource: string;
  /** What the list shows: the file has the same. */
  filters?: Record<string, string | undefined>;
  /** What is exported, where that is not told beside it. */
  label?: string;
}

/** A list as a file. Files have no test mode. */
export function ExportButton({ resource, filters = {}, label }: Props) {
  const { t } = useLingui();
  if (currentMode() === 'test') return null;
  const given = Object.entries(filters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return (
    <Button
      variant="default"
      component="a"
      href={`/csv/${resource}?${new URLSearchParams(given).toString()}`}
      download
      leftSection={<FileSpreadsheet size={16} aria-hidden />}
    >
      {label ?? t`Export as CSV`}
    </Button>
  );
}
