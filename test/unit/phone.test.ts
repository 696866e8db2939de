import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePhone } from '../../server/contacts/phone.ts';

describe('phone numbers', () => {
  it.each([
    ['+351 912 345 678', null, '+351912345678'],
    ['912345678', 'PT', '+351912345678'],
    ['(11) 98765-4321', 'br', '+5511987654321'],
    ['00351912345678', 'ES', '+351912345678'],
    ['+15005550001', null, '+15005550001'],
    ['  tel:+351-912-345-678 ', null, '+351912345678'],
    ['\u202a＋351 912 345 678\u202c', null, '+351912345678'],
  ])('%s in %s is %s', (text, country, number) => {
    expect(parsePhone(text, country)?.number).toBe(number);
  });

  it.each([
    '',
    'abc',
    '912345678',
    '+',
    '+1',
    '+999123456789',
    '++351912345678',
    'call +351912345678 now',
    '1'.repeat(32),
  ])('%j is none', (text) => {
    expect(parsePhone(text)).toBeNull();
  });

  it.each([
    ['+5511987654321', '+551187654321'],
    ['+5215512345678', '+525512345678'],
    ['+5491123456789', '+541123456789'],
  ])('%s and %s are one number', (first, second) => {
    expect(parsePhone(first)?.key).toBe(parsePhone(second)?.key);
  });

  it('never throws, and what it accepts is E.164 and reads the same again', () => {
    const text = fc.oneof(
      fc.string(),
      fc.stringMatching(/^[+0-9() -]{0,32}$/),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(text, fc.option(fc.string({ minLength: 2, maxLength: 2 })), (given, country) => {
        const phone = parsePhone(given, country);
        if (!phone) return;
        expect(phone.number).toMatch(/^\+[1-9]\d{4,16}$/);
        expect(parsePhone(phone.number)).toEqual(phone);
      }),
      { numRuns: 3_000 },
    );
  });
});
