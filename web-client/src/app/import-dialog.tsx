import { Trans, useLingui } from '@lingui/react/macro';
import { plural } from '@lingui/core/macro';
import { Alert, Button, FileInput, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { type Failure, failureOf } from './failure.ts';
import { FailureAlert } from './failure-alert.tsx';
import { type CsvOutline, type CsvResource, outlineFile } from './import-file.ts';
import { forgetImport, startImport, stopImport, useImport, watchImport } from './import-job.ts';
import { ImportColumns } from './import-columns.tsx';
import { ImportOutcome } from './import-outcome.tsx';
import { number } from './words.ts';
import './record-kit.css';

interface Props {
  resource: CsvResource;
  opened: boolean;
  onClose(): void;
  onImported(): void;
}

/** Tries a file first, then imports it; what was refused can be taken home, mended, and sent again. */
export function ImportDialog({ resource, opened, onClose, onImported }: Props) {
  const { t } = useLingui();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t`Import ${resource}`}
      size="lg"
      closeOnClickOutside={false}
    >
      <Import resource={resource} onImported={onImported} />
    </Modal>
  );
}

function Import({ resource, onImported }: Pick<Props, 'resource' | 'onImported'>) {
  const { t } = useLingui();
  const job = useImport(resource);
  const [file, setFile] = useState<File | null>(null);
  const [unread, setUnread] = useState<Failure | null>(null);
  const [outline, setOutline] = useState<CsvOutline | null>(null);
  const [columns, setColumns] = useState<readonly (string | null)[]>([]);
  const looking = useRef<AbortController>(null);
  useEffect(() => {
    watchImport(resource, true);
    return () => {
      looking.current?.abort();
      watchImport(resource, false);
    };
  }, [resource]);
  const run = (dryRun: boolean) => {
    if (file && outline) void startImport(resource, file, { dryRun, columns, onEnd: onImported });
  };
  const look = async (chosen: File, signal: AbortSignal) => {
    const found = await outlineFile(resource, chosen, signal);
    setOutline(found);
    setColumns(found.columns);
  };
  const choose = (chosen: File | null) => {
    const controller = new AbortController();
    looking.current?.abort();
    looking.current = controller;
    setFile(chosen);
    setOutline(null);
    setUnread(null);
    forgetImport(resource);
    if (!chosen) return;
    look(chosen, controller.signal).catch((error: unknown) => {
      if (!controller.signal.aborted) setUnread(failureOf(error));
    });
  };
  const failure = job?.step === 'failed' ? job.failure : unread;
  const tried = job?.step === 'done' && job.result.dry_run;
  return (
    <Stack gap="md">
      {failure && <FailureAlert failure={failure} />}
      {job?.step !== 'running' && (
        <FileInput
          label={t`File`}
          description={t`CSV in UTF-8, with commas, semicolons or tabs. The first row names the columns, as an export does.`}
          accept=".csv,text/csv"
          placeholder={t`Choose a file`}
          clearable
          clearButtonProps={{ 'aria-label': t`No file` }}
          value={file}
          onChange={choose}
          error={failure?.of('file')}
        />
      )}
      {outline && (!job || job.step === 'failed' || tried) && (
        <ImportColumns
          outline={outline}
          chosen={columns}
          onChange={(next) => {
            setColumns(next);
            forgetImport(resource);
          }}
        />
      )}
      {job?.step === 'running' && <Running {...job} onStop={() => stopImport(resource)} />}
      {job?.step === 'stopped' && (
        <Alert title={t`Stopped`}>
          <Trans>
            What was imported until then stays. The same file may be imported again: nothing is made twice.
          </Trans>
        </Alert>
      )}
      {job?.step === 'done' && <ImportOutcome resource={resource} {...job} />}
      {job?.step !== 'running' && (
        <Group justify="flex-end">
          <Button variant={tried ? 'default' : 'filled'} disabled={!outline} onClick={() => run(true)}>
            <Trans>Try it first</Trans>
          </Button>
          {(tried || job?.step === 'stopped') && (
            <Button disabled={!outline} onClick={() => run(false)}>
              <Trans>Import it</Trans>
            </Button>
          )}
        </Group>
      )}
    </Stack>
  );
}

interface RunningProps {
  dryRun: boolean;
  done: number;
  of: number;
  onStop(): void;
}

function Running({ dryRun, done, of, onStop }: RunningProps) {
  const { t } = useLingui();
  const part = of === 0 ? 0 : Math.min(100, (done / of) * 100);
  return (
    <Stack gap="xs">
      <Text fw={600}>{dryRun ? t`Trying the file…` : t`Importing…`}</Text>
      <Progress value={part} aria-label={dryRun ? t`Trying the file` : t`Importing`} />
      {!dryRun && (
        <Text size="sm" c="dimmed">
          <Trans>You can close this and work on: it goes on while Parlour is open in this tab.</Trans>
        </Text>
      )}
      <Group justify="space-between">
        <Text size="sm" className="import-count">
          {t`${number.format(done)} of about ${plural(of, { one: '# row', other: '# rows' })}`}
        </Text>
        <Button variant="default" onClick={onStop}>
          <Trans>Stop</Trans>
        </Button>
      </Group>
    </Stack>
  );
}
