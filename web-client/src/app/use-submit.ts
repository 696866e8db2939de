import { type FormEvent, useRef, useState } from 'react';
import { type Failure, failureOf } from './failure.ts';

/** Text of each named field. */
export type Values = Record<string, string>;

/**
 * A form whose fields keep their own text. While it is sent it can't be sent again; what was refused stands beside
 * its field (`errorOf`; `existingOf` is the record that has the value already), and the first such field gets the focus. What concerns no field is in `failure`.
 */
export function useSubmit(send: (values: Values) => Promise<unknown>, fields: readonly string[]) {
  const [failure, setFailure] = useState<Failure | null>(null);
  const [pending, setPending] = useState(false);
  const busy = useRef(false);

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (busy.current) return;
    busy.current = true;
    setPending(true);
    setFailure(null);
    const values = Object.fromEntries(
      [...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value : '']),
    );
    send(values)
      .catch((error: unknown) => {
        const known = failureOf(error);
        setFailure(known);
        const wrong = fields.find((name) => known.of(name) !== undefined);
        const element = wrong === undefined ? null : form.elements.namedItem(wrong);
        if (element instanceof HTMLElement) element.focus();
      })
      .finally(() => {
        busy.current = false;
        setPending(false);
      });
  };

  const errorOf = (name: string) => failure?.of(name);
  const existingOf = (name: string) => failure?.existing(name);
  const general = failure && !fields.some((name) => failure.of(name) !== undefined) ? failure : null;
  return { onSubmit, pending, errorOf, existingOf, failure: general };
}
