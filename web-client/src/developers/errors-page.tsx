import { useLingui } from '@lingui/react/macro';
import { t } from '@lingui/core/macro';
import { Code, Stack, Text, Title } from '@mantine/core';
import { detailHelp, errorHelp } from '../../../schema/error-help.ts';
import { detailCodes, type ErrorCode, errors } from '../../../schema/errors.ts';
import { CardTable } from '../app/card-table.tsx';
import { Page, Section } from '../app/page.tsx';
import { Ticked } from './ticked.tsx';

const example = {
  error: {
    type: 'invalid_request_error',
    code: 'validation_failed',
    get message() {
      return t`Must be an e-mail address.`;
    },
    param: 'email',
    request_id: '01JQZ7K3M9V5T2XH8C4B6N0DFG',
    details: [
      {
        param: 'email',
        code: 'format',
        get message() {
          return t`Must be an e-mail address.`;
        },
      },
    ],
  },
};

/** Every code of the table of errors, with what to do about it. Each has an anchor. */
export function ErrorsPage() {
  const { t } = useLingui();
  return (
    <Page
      title={t`Errors`}
      description={t`The same codes on REST, GraphQL and tRPC. Codes never change; messages may. The header Link of every refused request leads to its code in the public page, at /docs/errors.`}
    >
      <Code
        block
        className="wrapped developers-code"
        tabIndex={0}
        role="region"
        aria-label={t`Example of an error`}
      >
        {JSON.stringify(example, null, 2)}
      </Code>
      <div className="developers-errors">
        {(Object.keys(errors) as ErrorCode[]).map((code) => (
          <section key={code} id={code} aria-label={code}>
            <Stack gap={4}>
              <Title order={2} size="h4" ff="monospace">
                {code}
              </Title>
              <Text size="sm" c="dimmed">
                HTTP {errors[code].status} · {errors[code].type} · “{errors[code].message}”
              </Text>
              <Text maw="46rem">
                <Ticked text={errorHelp[code]} />
              </Text>
            </Stack>
          </section>
        ))}
      </div>
      <Section
        title={t`Codes of fields`}
        description={t`What stands in error.details of a 422, one entry for each field, fifty at most.`}
      >
        <CardTable
          caption={t`Codes of fields`}
          rows={detailCodes}
          keyOf={(code) => code}
          columns={[
            { label: t`Code`, bare: true, cell: (code) => <Text ff="monospace">{code}</Text> },
            { label: t`Meaning`, cell: (code) => <Ticked text={detailHelp[code]} /> },
          ]}
        />
      </Section>
    </Page>
  );
}
