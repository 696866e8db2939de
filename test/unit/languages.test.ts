import { i18n } from '@lingui/core';
import { compileMessage as reference } from '@lingui/message-utils/compileMessage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compileMessage } from '../../web-client/src/language/compile-message.ts';

const messages = [
  'Inbox',
  "It's here",
  "It''s here, {name}",
  '{name} wrote {count} words',
  "Braces stay: '{{'name'}}'",
  '{count, plural, one {# contact} other {# contacts}}',
  '{0, plural, =0 {Nobody} one {# person of {total}} other {# people of {total}}} today',
  'He {sex, select, male {is} other {are}} {count, plural, one {a # of {kind}} other {many}}.',
  '<0>{name}</0> is #1',
];

describe('messages of the code, read without the library', () => {
  beforeEach(() => {
    i18n.load('en', {});
    i18n.activate('en');
  });
  afterEach(() => void i18n.setMessagesCompiler(reference));

  it.each(messages)('%s reads as the library reads it', (message) => {
    const told = (compiler: typeof reference, count: number) =>
      i18n
        .setMessagesCompiler(compiler)
        ._('absent', { name: 'Ana', count, 0: count, total: 9, sex: 'male', kind: 'x' }, { message });
    for (const count of [0, 1, 2, 1500]) expect(told(compileMessage, count)).toBe(told(reference, count));
  });
});
