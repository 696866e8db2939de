import { Refusal } from './link.ts';
import { h, set } from './dom.ts';
import type { Appearance } from './types.ts';

type Field = 'name' | 'email';

/** What is asked for before the chat begins. Each mistake is told at its field, and the first one gets the focus. */
export function introduction(
  look: Appearance,
  begin: (who: { name?: string; email?: string }) => Promise<void>,
): HTMLFormElement {
  const { texts, ask } = look;
  const fields = (['name', 'email'] as const).filter((field) => ask[field] !== 'off');
  const inputs = new Map<Field, HTMLInputElement>();
  const faults = new Map<Field, HTMLElement>();
  const rows = fields.map((field) => {
    const required = ask[field] === 'required';
    const input = h('input', {
      id: field,
      type: field === 'email' ? 'email' : 'text',
      autocomplete: field,
      maxlength: 191,
      required,
      'aria-describedby': `${field}-fault`,
    });
    const fault = h('p', { id: `${field}-fault`, class: 'fault' });
    inputs.set(field, input);
    faults.set(field, fault);
    const label = h('label', { for: field }, texts[field], !required && ` ${texts.optional}`);
    return h('div', {}, label, input, fault);
  });
  const failure = h('p', { class: 'fault', role: 'alert' });
  const button = h('button', { type: 'submit', class: 'start' }, texts.start);
  const form = h(
    'form',
    { class: 'introduction', novalidate: true },
    h('p', { class: 'greeting' }, texts.greeting),
    h('p', {}, texts.introduction),
    ...rows,
    failure,
    button,
  );

  const fault = (field: Field): void => {
    const told = faults.get(field);
    if (told) told.textContent = field === 'name' ? texts.nameMissing : texts.emailMissing;
    const input = inputs.get(field);
    if (input) set(input, 'aria-invalid', 'true');
  };
  const submit = async (): Promise<void> => {
    failure.textContent = '';
    for (const [field, input] of inputs) {
      set(input, 'aria-invalid', null);
      const told = faults.get(field);
      if (told) told.textContent = '';
      if (!input.checkValidity()) fault(field);
    }
    const wrong = [...inputs.values()].find((input) => input.getAttribute('aria-invalid') === 'true');
    if (wrong) return wrong.focus();
    button.disabled = true;
    try {
      const given = [...inputs].map(([field, input]) => [field, input.value.trim()]);
      await begin(Object.fromEntries(given.filter(([, value]) => value !== '')) as Record<Field, string>);
    } catch (error) {
      const field = error instanceof Refusal ? fields.find((one) => one === error.param) : undefined;
      if (field) {
        fault(field);
        inputs.get(field)?.focus();
      } else
        failure.textContent =
          error instanceof Refusal && error.code === 'rate_limited' ? texts.tooMany : texts.offline;
    } finally {
      button.disabled = false;
    }
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void submit();
  });
  return form;
}
