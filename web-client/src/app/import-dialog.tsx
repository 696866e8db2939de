import { Alert, Button, FileInput, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { type Failure, failureOf } from './failure.ts';
import { FailureAlert } from './failure-alert.tsx';
import { type CsvResource, importFile, type ImportResult } from './import-file.ts';
import { counted, number } from './words.ts';
import './record-kit.css';

interface Props {
  resource: CsvResource;
  opened: boolean;
  onClose(): void;
  onImported(): Promise<unknown>;
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
  const running = useRef<AbortController>(null);
  // Closing the dialog is hanging up.
  useEffect(() => () => running.current?.abort(), []);
  const run = (dryRun: boolean) => {
    if (!file) return;
    const controller = new AbortController();
    running.current = controller;
    setFailure(null);
    setState({ step: 'running', dryRun, done: 0, of: 0 });
    importFile(resource, file, {
      dryRun,
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
      .finally(() => (dryRun ? undefined : void onImported()));
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
          onChange={(chosen) => {
            setFile(chosen);
            setState({ step: 'choose' });
          }}
          error={failure?.of('file')}
        />
      )}
      {state.step === 'running' && <Running {...state} onStop={() => running.current?.abort()} />}
      {state.step === 'stopped' && (
        <Alert title="Stopped">
          What was imported until then stays. The same file may be imported again: nothing is made twice.
        </Alert>
      )}
      {state.step === 'done' && <Outcome resource={resource} {...state} />}
      {state.step !== 'running' && (
        <Group justify="flex-end">
          <Button variant={tried ? 'default' : 'filled'} disabled={!file} onClick={() => run(true)}>
            Try it first
          </Button>
          {(tried || state.step === 'stopped') && (
            <Button disabled={!file} onClick={() => run(false)}>
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

interface OutcomeProps {
  resource: CsvResource;
  result: ImportResult;
  rejected: string;
}

function Outcome({ resource, result, rejected }: OutcomeProps) {
  const { dry_run, created, updated, skipped, failed, errors, ignored_columns } = result;
  const counts = `${number.format(created)} new, ${number.format(updated)} changed, ${number.format(skipped)} there already, ${number.format(failed)} refused.`;
  return (
    <Stack gap="sm" role="status">
      <Text fw={600}>{dry_run ? `Nothing is kept yet. It would be: ${counts}` : `Imported: ${counts}`}</Text>
      {ignored_columns.length > 0 && (
        <Text size="sm">Nothing is read from the columns {ignored_columns.join(', ')}.</Text>
      )}
      {errors.length > 0 && (
        <ul className="import-errors">
          {errors.map(({ line, param, message }) => (
            <li key={`${line} ${message}`}>
              Line {line}: {param !== null && `${param}: `}
              {message}
            </li>
          ))}
          {failed > errors.length && <li>and {number.format(failed - errors.length)} more</li>}
        </ul>
      )}
      {rejected !== '' && (
        <Group>
          <Button variant="default" onClick={() => save(rejected, `${resource}.rejected.csv`)}>
            Download the refused rows
          </Button>
        </Group>
      )}
    </Stack>
  );
}

/** Gives a text to whoever sits here, as a file. */
function save(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
