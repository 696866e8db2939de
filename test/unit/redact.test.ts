import { describe, expect, it } from 'vitest';
import { Redactor } from '../../server/ai/redact.ts';

const redact = (text: string) => new Redactor().redact(text);

describe('redaction', () => {
  it.each([
    ['call +351 912 345 678 now', 'call [phone-1] now'],
    ['(11) 98765-4321', '[phone-1]'],
    ['+1-415-555-0142', '[phone-1]'],
    ['0034 600.123.456', '[phone-1]'],
    ['912345678', '[phone-1]'],
    ['+44 20 7946 0018, or 912345678', '[phone-1], or [phone-2]'],
    ['9\u200B1\u200B2345678', '[phone-1]'],
    ['９１２３４５６７８', '[phone-1]'],
    ['me@example.com and ME@example.com', '[email-1] and [email-1]'],
    ['josé.núñez+x@correo.example.es.', '[email-1].'],
    ['4111 1111 1111 1111', '[card-1]'],
    ['4111-1111-1111-1111 12/27 123', '[card-1] [phone-2]'],
    ['378282246310005', '[card-1]'],
    ['4111 1111 1111 1112', '[phone-1]'],
    ['IBAN PT50 0002 0123 1234 5678 9015 4 obrigado', 'IBAN [iban-1] obrigado'],
    ['de89370400440532013000', '[iban-1]'],
  ])('%j leaves as %j', (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it.each([
    'order 4711',
    'room 12, 3rd floor',
    'on 2026-03-01 at 10:30',
    'the 01/03/2026',
    'it costs 1.250.000 pesos',
    '60 x 40 x 20 cm',
    'AB12 model X100',
  ])('%j stays', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('puts back what it took out, and nothing else', () => {
    const redactor = new Redactor();
    const text = 'me@example.com or +351 912 345 678';
    expect(redactor.restore(redactor.redact(text))).toBe(text);
    expect(redactor.restore('[phone-7] [card-1] [email-1]')).toBe('[phone-7] [card-1] me@example.com');
  });
});
