import { Alert, Button, FileInput, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { type Failure, failureOf } from './failure.ts';
import { FailureAlert } from './failure-alert.tsx';
import {
  type CsvOutline,
  type CsvResource,
  importFile,
  type ImportResult,
  outlineFile,
} from './import-file.ts';
import { ImportColumns } from './import-columns.tsx';
import { ImportOutcome } from './import-outcome.tsx';
import { counted, number } from './words.ts';
import './record-kit.css';

interface Props {
  resource: CsvResource;
  opened: boolean;
  onClose(): void;
  onImported(): void;
}

/** Tries a file first, then imports it; what was refused can be taken home, mended, and sent again. */
export function ImportDialog({ resource, opened, onClose, onImported }: Props) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={`Import ${resource}`}
      size="lg"
      closeOnClickOutside={false}
    >
      <Import resource={resource} onImported={onImported} />
    </Modal>
  );
}

type State =
  | { step: 'choose' }
  | { step: 'running'; dryRun: boolean; done: number; of: number }
  | { step: 'stopped' }
  | { step: 'done'; result: ImportResult; rejected: string };

function Import({ resource, onImported }: Pick<Props, 'resource' | 'onImported'>) {
  const [file, setFile] = useState<File | null>(null);
  const [state, setState] = useState<State>({ step: 'choose' });
  const [failure, setFailure] = useState<Failure | null>(null);
  const [outline, setOutline] = useState<CsvOutline | null>(null);
  const [columns, setColumns] = useState<readonly (string | null)[]>([]);
  const running = useRef<AbortController>(null);
  // Closing the dialog is hanging up.
  useEffect(() => () => running.current?.abort(), []);
  const run = (dryRun: boolean) => {
    if (!file || !outline) return;
    const controller = new AbortController();
    running.current = controller;
    setFailure(null);
    setState({ step: 'running', dryRun, done: 0, of: 0 });
    importFile(resource, file, {
      dryRun,
      columns,
      signal: controller.signal,
      onProgress: (done, of) => setState({ step: 'running', dryRun, done, of }),
    })
      .then(
        (outcome) => setState({ step: 'done', ...outcome }),
        (error: unknown) => {
          setState(controller.signal.aborted ? { step: 'stopped' } : { step: 'choose' });
          if (!controller.signal.aborted) setFailure(failureOf(error));
        },
      )
      .finally(() => (dryRun ? undefined : onImported()));
  };
  const look = async (chosen: File, signal: AbortSignal) => {
    const found = await outlineFile(resource, chosen, signal);
    setOutline(found);
    setColumns(found.columns);
  };
  const choose = (chosen: File | null) => {
    const controller = new AbortController();
    running.current?.abort();
    running.current = controller;
    setFile(chosen);
    setOutline(null);
    setFailure(null);
    setState({ step: 'choose' });
    if (!chosen) return;
    look(chosen, controller.signal).catch((error: unknown) => {
      if (!controller.signal.aborted) setFailure(failureOf(error));
    });
  };
  const tried = state.step === 'done' && state.result.dry_run;
  return (
    <Stack gap="md">
      {failure && <FailureAlert failure={failure} />}
      {state.step !== 'running' && (
        <FileInput
          label="File"
          description="CSV in UTF-8, with commas, semicolons or tabs. The first row names the columns, as an export does."
          accept=".csv,text/csv"
          placeholder="Choose a file"
          clearable
          clearButtonProps={{ 'aria-label': 'No file' }}
          value={file}
          onChange={choose}
          error={failure?.of('file')}
        />
      )}
      {outline && (state.step === 'choose' || tried) && (
        <ImportColumns
          outline={outline}
          chosen={columns}
          onChange={(next) => {
            setColumns(next);
            setState({ step: 'choose' });
          }}
        />
      )}
      {state.step === 'running' && <Running {...state} onStop={() => running.current?.abort()} />}
      {state.step === 'stopped' && (
        <Alert title="Stopped">
          What was imported until then stays. The same file may be imported again: nothing is made twice.
        </Alert>
      )}
      {state.step === 'done' && <ImportOutcome resource={resource} {...state} />}
      {state.step !== 'running' && (
        <Group justify="flex-end">
          <Button variant={tried ? 'default' : 'filled'} disabled={!outline} onClick={() => run(true)}>
            Try it first
          </Button>
          {(tried || state.step === 'stopped') && (
            <Button disabled={!outline} onClick={() => run(false)}>
              Import it
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
  const part = of === 0 ? 0 : Math.min(100, (done / of) * 100);
  return (
    <Stack gap="xs">
      <Text fw={600}>{dryRun ? 'Trying the file…' : 'Importing…'}</Text>
      <Progress value={part} aria-label={dryRun ? 'Trying the file' : 'Importing'} />
      <Group justify="space-between">
        <Text size="sm">
          {number.format(done)} of about {counted(of, 'row')}
        </Text>
        <Button variant="default" onClick={onStop}>
          Stop
        </Button>
      </Group>
    </Stack>
  );
}
