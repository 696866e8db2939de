import { describe, expect, it } from 'vitest';
import { builtIn } from '../../server/ai/built-in/engine.ts';
import { intentOf } from '../../server/ai/built-in/intent.ts';
import { languageOf } from '../../server/ai/built-in/language.ts';
import type { ThreadView } from '../../server/ai/provider.ts';
import { holdsPersonalData, namesSomething } from '../../server/ai/personal-data.ts';
import { scoresOf } from '../eval/scores.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const minutes = (n: number) => new Date(now.getTime() + n * 60_000);
const signal = AbortSignal.timeout(60_000);

/** Lines with "> " are the company's. */
function thread(lines: string[], facts: Partial<ThreadView> = {}): ThreadView {
  return {
    conversationId: '01JQZ7K3M9V5T2XH8C4B6N0DFG',
    company: { name: 'Casa Lume', locale: 'en' },
    contact: { firstName: 'Ana', blocked: false },
    messages: lines.map((line, n) => ({
      id: `m${n}`,
      from: line.startsWith('> ') ? 'company' : 'customer',
      text: line.replace(/^> /, ''),
      at: minutes(n - lines.length),
    })),
    now,
    waitingSince: null,
    windowClosesAt: null,
    unpaidOrders: [],
    quickReplies: [],
    earlierAnswers: [],
    tags: [],
    ...facts,
  };
}

async function valueOf<T>(answer: Promise<{ outcome: string; value?: T }>): Promise<T> {
  const { outcome, value } = await answer;
  expect(outcome).toBe('ok');
  return value!;
}
const insights = (...lines: string[]) => valueOf(builtIn.insights(thread(lines), signal));
const order = { number: 12, total: 8_900, currency: 'EUR', status: 'pending', placedAt: minutes(-60) };

describe('insights', () => {
  it.each([
    ['How much is the lamp?', 'price', 'medium'],
    ['Do you still have it in stock?', 'product_question', 'medium'],
    ['Where is my order?', 'order_status', 'low'],
    ['¿Cuánto cuesta?', 'price', 'medium'],
    ['Quiero devolverlo', 'return', 'low'],
    ['Gostaria de marcar uma consulta para sexta', 'booking', 'medium'],
    ['A peça chegou partida', 'complaint', 'low'],
    ["I don't want to return it, I love it", 'other', 'unknown'],
    ["I'll take two", 'other', 'high'],
    ['Me lo llevo', 'other', 'high'],
    ['vou levar', 'other', 'high'],
    ["I won't buy it, too expensive", 'price', 'low'],
    ['no gracias, está carísimo', 'price', 'low'],
    ['Hola, buenas tardes', 'greeting', 'unknown'],
  ])('%j is %s, a purchase %s', async (text, intent, likelihood) => {
    expect(await insights(text)).toMatchObject({ intent, purchase_likelihood: likelihood });
  });

  it.each([
    ['This is wonderful, thank you so much!', 'positive'],
    ['It does not work, I am very disappointed', 'negative'],
    ['¡Me encanta, muchas gracias!', 'positive'],
    ['Es una vergüenza, nadie responde', 'negative'],
    ['Adorei, ficou lindo!', 'positive'],
    ['Péssimo atendimento, nunca mais compro', 'negative'],
    ['The table is 80 cm wide', 'neutral'],
    ['👍👍', null],
    ['Guten Tag, ich bin sehr enttäuscht von dieser Lampe', null],
    ['Bonjour, je suis vraiment très déçu par cette lampe', null],
    ['これはとても良いです', null],
  ])('%j is %s', async (text, sentiment) => {
    expect((await insights(text)).sentiment).toBe(sentiment);
  });

  it('are about what the customer wrote since the last answer', async () => {
    expect(
      await insights('Where is my order?', '> On its way.', 'And how much is the vase?', 'thanks'),
    ).toMatchObject({
      intent: 'price',
    });
    expect(await insights()).toEqual({ sentiment: null, purchase_likelihood: 'unknown', intent: null });
    expect(await insights('> We miss you.')).toMatchObject({ intent: null });
  });

  it('an order that waits for payment speaks of buying, unless the customer complains', async () => {
    const of = (text: string) => valueOf(builtIn.insights(thread([text], { unpaidOrders: [order] }), signal));
    expect(await of('Where is my order?')).toMatchObject({ purchase_likelihood: 'high' });
    expect(await of('It came broken, I want my money back')).toMatchObject({ purchase_likelihood: 'low' });
  });

  it('are the same for the same thread, whatever the text', async () => {
    for (const text of [
      '',
      ' ',
      '\u0000',
      '🏳️‍🌈'.repeat(500),
      'a'.repeat(60_000),
      'no '.repeat(20_000),
      '((((',
    ]) {
      const once = await insights(text);
      expect(await insights(text)).toEqual(once);
    }
  });
});

describe('suggestions', () => {
  const facts = {
    quickReplies: [
      { id: 'a', text: 'We are open from nine to six.', similarity: 0.7 },
      { id: 'b', text: 'Estamos abiertos de nueve a seis.', similarity: 0.9 },
      { id: 'c', text: 'Thank you for writing.', similarity: 0.1 },
    ],
    earlierAnswers: [
      { text: 'We open at nine tomorrow.', similarity: 0.6, contacts: 1 },
      { text: 'We open at ten tomorrow.', similarity: 0.3, contacts: 1 },
    ],
    tags: [
      { id: 't1', name: 'Hours', color: '#000000', score: 0.5 },
      { id: 't2', name: 'VIP', color: '#000000', score: 0.1 },
    ],
  };

  it('are replies in the customer’s language, tags that history speaks for, and tips', async () => {
    const view = thread(['What time do you open tomorrow?', 'And what does shipping cost?'], {
      ...facts,
      waitingSince: minutes(-130),
      windowClosesAt: minutes(95),
      unpaidOrders: [order],
    });
    expect(await valueOf(builtIn.suggest(view, signal))).toEqual([
      { kind: 'reply', text: 'We are open from nine to six.' },
      { kind: 'reply', text: 'We open at nine tomorrow.' },
      { kind: 'tag', tag: 't1' },
      { kind: 'tip', text: 'Only 1 hour left to write freely; after that a template is needed.' },
      { kind: 'tip', text: 'The customer has been waiting for 2 hours.' },
    ]);
  });

  it('name a tag that the customer names or that fits what they want, and give tips in the company’s language', async () => {
    const tags = [
      { id: 't1', name: 'Reclamação', color: '#000000', score: 0 },
      { id: 't2', name: 'VIP', color: '#000000', score: 0 },
    ];
    const company = { name: 'Casa Lume', locale: 'pt-PT' };
    const view = thread(['O vaso chegou partido, que vergonha'], { tags, company, unpaidOrders: [order] });
    const made = await valueOf(builtIn.suggest(view, signal));
    expect(made).toContainEqual({ kind: 'tag', tag: 't1' });
    expect(made).toContainEqual({ kind: 'tip', text: expect.stringContaining('peça desculpa') });
    expect(made).toContainEqual({ kind: 'tip', text: expect.stringMatching(/^O pedido 12 \(89,00\s€\)/) });
  });

  it('are none where nothing is known', async () => {
    expect(await valueOf(builtIn.suggest(thread(['hi']), signal))).toEqual([]);
  });
});

describe('an automatic reply', () => {
  const draft = (text: string, facts: Partial<ThreadView> = {}) =>
    valueOf(builtIn.reply(thread([text], facts), signal));
  const open = (similarity: number) => ({
    quickReplies: [{ id: 'a', text: 'We are open from nine to six.', similarity }],
  });

  it('is a saved reply that fits well, else nothing', async () => {
    const question = 'When are you open?';
    expect(await draft(question, open(0.8))).toEqual({
      text: 'We are open from nine to six.',
      handoff: false,
    });
    expect(await draft(question, open(0.5))).toEqual({ text: null, handoff: false });
    expect(await draft('You are open but it is broken, this is awful', open(0.9))).toMatchObject({
      text: null,
    });
  });

  it('is an earlier answer only when several customers were told the same and nobody something else', async () => {
    const told = (...answers: [string, number, number][]) =>
      draft('Do you ship to Madeira?', {
        earlierAnswers: answers.map(([text, similarity, contacts]) => ({ text, similarity, contacts })),
      });
    expect(await told(['We do, twice a week.', 0.9, 3])).toMatchObject({ text: 'We do, twice a week.' });
    expect(await told(['We do, twice a week.', 0.9, 1])).toMatchObject({ text: null });
    expect(await told(['We do, twice a week.', 0.6, 9])).toMatchObject({ text: null });
    expect(await told(['We do.', 0.9, 3], ['We no longer do.', 0.88, 3])).toMatchObject({ text: null });
    expect(await told(['It costs 12 €.', 0.9, 3], ['It costs 15 €.', 0.9, 3])).toMatchObject({ text: null });
  });

  it.each([
    'I want to talk to a human',
    'can i speak with someone please',
    'agent',
    'quiero hablar con una persona',
    '¿Eres un bot?',
    'quero falar com um atendente',
    'podem ligar-me de volta?',
  ])('%j asks for a person', async (text) => {
    expect(await draft(text, open(1))).toEqual({ text: null, handoff: true });
  });

  it.each(['I do not want to talk to a human', 'My agent lives in Lisbon', 'A person asked me about it'])(
    '%j does not',
    async (text) => {
      expect((await draft(text)).handoff).toBe(false);
    },
  );
});

it('neither rewrites nor summarises', async () => {
  expect(await builtIn.rewrite('x', { as: 'shorter' }, signal)).toMatchObject({ outcome: 'unavailable' });
  expect(await builtIn.summarise(thread(['x']), signal)).toMatchObject({ outcome: 'unavailable' });
});

describe('what tells of a person', () => {
  it.each([
    ['Ana will have it on Monday.', 'Ana Silva', true],
    ['El señor Pérez ya pagó.', 'JOSE PEREZ', true],
    ['Your order 12 left today.', null, true],
    ['A sua encomenda nº 7 saiu.', null, true],
    ['Ring 912 345 678.', null, true],
    ['Muchas gracias, Lucía', null, true],
    ['Bom dia Sra. Costa, já saiu.', null, true],
    ['We do, 12 of them are on the shelf.', 'Ana Silva', false],
    ['We are open from 9 to 18.', 'Ana Silva', false],
    ['Hello! It is vegan.', 'Ana Silva', false],
  ])('%j of %j: %s', (text, name, expected) => {
    expect(holdsPersonalData(text, name)).toBe(expected);
  });

  it.each([
    ['It goes to Leeds now.', [], true],
    ['Hecho, ahora va a Sevilla.', ['¿puede ir a Sevilla?'], false],
    ['On Monday it is open. We are there.', [], false],
    ['Yes. It fits.', [], false],
  ])('%j names something unknown: %s', (text, known, expected) => {
    expect(namesSomething(text, known)).toBe(expected);
  });
});

it('languages and intents of short words', () => {
  expect(languageOf('hola')).toBe('es');
  expect(languageOf('olá')).toBe('pt');
  expect(languageOf('hello')).toBe('en');
  expect(languageOf('123')).toBeNull();
  expect(intentOf('price?', null)).toBe('price');
  expect(intentOf('???', null)).toBeNull();
});

it('the evaluation runs on hundreds of messages', () => {
  const [tuning, heldOut] = [scoresOf('tuning'), scoresOf('held-out')];
  expect(tuning.messages).toBeGreaterThanOrEqual(300);
  expect(heldOut.messages).toBeGreaterThanOrEqual(100);
  for (const { accuracy } of [tuning, heldOut]) {
    expect(accuracy.intent).toBeGreaterThan(0.6);
    expect(accuracy.sentiment).toBeGreaterThan(0.6);
  }
});
