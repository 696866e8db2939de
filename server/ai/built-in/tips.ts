import { money } from '../../messages/cards.ts';
import type { ThreadView } from '../provider.ts';
import { type Language, languages } from './rules.ts';

const minute = 60_000;
const hour = 60 * minute;
/** From when on waiting is worth a tip, and how near the end of the window must be. */
const longWait = hour;
const closing = 4 * hour;

type Unit = 'minute' | 'hour' | 'day';

const texts: Readonly<
  Record<
    Language,
    {
      waiting(time: string): string;
      closing(time: string): string;
      unpaid(number: number, total: string): string;
      ready: string;
      unhappy: string;
    }
  >
> = {
  en: {
    waiting: (time) => `The customer has been waiting for ${time}.`,
    closing: (time) => `Only ${time} left to write freely; after that a template is needed.`,
    unpaid: (number, total) => `Order ${number} (${total}) is waiting for payment.`,
    ready: 'The customer is ready to buy: offer to make the order.',
    unhappy: 'The customer is unhappy: apologise first, then say what happens next.',
  },
  es: {
    waiting: (time) => `El cliente lleva esperando ${time}.`,
    closing: (time) => `Quedan ${time} para escribir libremente; después hará falta una plantilla.`,
    unpaid: (number, total) => `El pedido ${number} (${total}) está pendiente de pago.`,
    ready: 'El cliente está listo para comprar: ofrécele crear el pedido.',
    unhappy: 'El cliente está descontento: discúlpate primero y di qué va a pasar.',
  },
  pt: {
    waiting: (time) => `O cliente está à espera há ${time}.`,
    closing: (time) => `Restam ${time} para escrever livremente; depois só com um modelo.`,
    unpaid: (number, total) => `O pedido ${number} (${total}) aguarda pagamento.`,
    ready: 'O cliente está pronto a comprar: ofereça criar o pedido.',
    unhappy: 'O cliente está descontente: peça desculpa primeiro e diga o que se segue.',
  },
};

/** What the state of a thread advises, in the company's language (English where there is none); most urgent first. */
export function tipsOf(
  { now, windowClosesAt, waitingSince, unpaidOrders, company }: ThreadView,
  { ready, unhappy }: { ready: boolean; unhappy: boolean },
): string[] {
  const language = languages.find((one) => company.locale.toLowerCase().startsWith(one)) ?? 'en';
  const text = texts[language];
  const tips: string[] = [];
  const left = windowClosesAt ? windowClosesAt.getTime() - now.getTime() : 0;
  if (waitingSince && left > 0 && left <= closing) tips.push(text.closing(duration(left, language)));
  const waited = waitingSince ? now.getTime() - waitingSince.getTime() : 0;
  if (waited >= longWait) tips.push(text.waiting(duration(waited, language)));
  if (unhappy) tips.push(text.unhappy);
  const [order] = unpaidOrders;
  if (order)
    tips.push(
      text.unpaid(order.number, money(order.total, order.currency, localeOf(company.locale, language))),
    );
  else if (ready) tips.push(text.ready);
  return tips;
}

/** In its largest whole unit. */
function duration(milliseconds: number, locale: string): string {
  const [amount, unit]: [number, Unit] =
    milliseconds < hour
      ? [Math.max(1, Math.floor(milliseconds / minute)), 'minute']
      : milliseconds < 48 * hour
        ? [Math.floor(milliseconds / hour), 'hour']
        : [Math.floor(milliseconds / (24 * hour)), 'day'];
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(amount);
}

/** The company's own, where it is one. */
function localeOf(locale: string, otherwise: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? otherwise;
  } catch {
    return otherwise;
  }
}
