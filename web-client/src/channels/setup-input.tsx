import { useLingui } from '@lingui/react/macro';
import { NativeSelect, NumberInput, PasswordInput, Textarea, TextInput, Title } from '@mantine/core';
import type { Channel } from './channels-page.tsx';
import type { SetupField } from './setup-fields.ts';

interface Props {
  field: SetupField;
  channel: Channel | null;
  error: string | undefined;
}

/** The field for one setting or credential. What is kept of a credential is masked, and empty leaves it. */
export function SetupInput({ field, channel, error }: Props) {
  const { t } = useLingui();
  const { part, name, label, description, heading, required, usual = '' } = field;
  const kept = part === 'credentials' ? channel?.credentials?.[name] : undefined;
  const given = part === 'config' ? channel?.config[name] : undefined;
  const help = kept === undefined ? description : t`Kept: ${kept}. Empty leaves it.`;
  const props = {
    name: `${part}.${name}`,
    label,
    error,
    withAsterisk: false,
    required: required === true && kept === undefined,
    ...(help === undefined ? {} : { description: help }),
  };
  const text = Array.isArray(given) ? given.join('\n') : typeof given === 'string' ? given : usual;
  return (
    <>
      {heading !== undefined && (
        <Title order={3} size="h5" mt="xs">
          {heading}
        </Title>
      )}
      <Field field={field} text={text} props={props} />
    </>
  );
}

function Field({ field, text, props }: { field: SetupField; text: string; props: object }) {
  switch (field.input) {
    case 'secret':
      return <PasswordInput {...props} autoComplete="new-password" />;
    case 'number':
      return <NumberInput {...props} min={1} max={65_535} hideControls />;
    case 'choice':
      return <NativeSelect {...props} defaultValue={text} data={[...(field.options ?? [])]} />;
    case 'lines':
      return <Textarea {...props} defaultValue={text} autosize minRows={2} />;
    case 'color':
      return <TextInput {...props} type="color" maw="8rem" defaultValue={text.toLowerCase()} />;
    case undefined:
      return <TextInput {...props} autoComplete="off" defaultValue={text} />;
  }
}
