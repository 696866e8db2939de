import type { Language } from './people.ts';

/** What is said about one matter: the customer's line, then the shop's. `{…}` is filled in. */
type Exchange = readonly [customer: string, shop: string];

interface Phrases {
  greeting: readonly string[];
  exchanges: readonly Exchange[];
  thanks: readonly Exchange[];
  notes: readonly string[];
}

export const phrases: Record<Language, Phrases> = {
  en: {
    greeting: ['Hi there! ', 'Hello, ', 'Good morning, ', ''],
    exchanges: [
      ['do you still have the {product}?', 'We do, {stock} of them are on the shelf.'],
      ['how much is shipping to {city}?', 'To {city} it is {price}, and free from two pieces on.'],
      [
        'my order {order} has not arrived yet, could you have a look?',
        'It left us on {day}; the carrier says tomorrow.',
      ],
      ['the {product} came with a scratch 😕', 'I am sorry! Please send a picture, we replace it at once.'],
      ['can I pick it up on {day}?', '{day} is fine, we are here until six.'],
      ['does the {product} come in another colour?', 'In sand and in slate. Shall I put one aside for you?'],
      ['could I have the invoice for order {order}?', 'Of course, it is on its way to your mail.'],
      ['is it possible to change the address of order {order}?', 'Done, it goes to {city} now.'],
      ['I would like two more, same as last time', 'Noted: two more, order {order} is open for you.'],
      ['do you wrap gifts?', 'With pleasure, it is {price} and comes with a card.'],
    ],
    thanks: [
      ['Perfect, thank you so much!', 'You are welcome, {name}!'],
      ['Great, that was quick 👍', 'Happy to help. Have a lovely day!'],
    ],
    notes: [
      'Asked twice about delivery, please call on {day}.',
      'Regular customer, knows the workshop.',
      'Promised a refund of {price}.',
    ],
  },
  es: {
    greeting: ['¡Hola! ', 'Buenos días, ', 'Buenas tardes, ', ''],
    exchanges: [
      ['¿os queda {product}?', 'Sí, nos quedan {stock} unidades.'],
      ['¿cuánto cuesta el envío a {city}?', 'A {city} son {price}, y gratis a partir de dos piezas.'],
      ['mi pedido {order} todavía no ha llegado', 'Salió el {day}; la agencia nos dice que llega mañana.'],
      ['el paquete llegó roto, ¿qué hago?', 'Lo siento mucho. Envíanos una foto y te mandamos otro.'],
      ['¿puedo pasar a recogerlo el {day}?', 'Claro, el {day} estamos hasta las ocho.'],
      ['¿{product} lo tenéis en otro color?', 'Sí, en arena y en gris. ¿Te guardo uno?'],
      ['necesito la factura del pedido {order}', 'Ahora mismo te la envío por correo.'],
      ['quiero cambiar la dirección del pedido {order}', 'Hecho, ahora va a {city}.'],
      ['¿hacéis envoltorio de regalo?', 'Sí, cuesta {price} y lleva una tarjeta.'],
    ],
    thanks: [
      ['¡Muchas gracias!', '¡A ti, {name}!'],
      ['Genial, qué rápido 🙌', 'Para eso estamos. ¡Buen día!'],
    ],
    notes: [
      'Pregunta por el plazo, llamar el {day}.',
      'Clienta habitual.',
      'Prometida una devolución de {price}.',
    ],
  },
  pt: {
    greeting: ['Olá! ', 'Bom dia, ', 'Boa tarde, ', ''],
    exchanges: [
      ['ainda têm {product}?', 'Temos sim, há {stock} em stock.'],
      ['quanto é o envio para {city}?', 'Para {city} são {price}, grátis a partir de duas peças.'],
      ['a minha encomenda {order} ainda não chegou', 'Saiu na {day}; deve chegar amanhã.'],
      ['a peça chegou partida 😢', 'Lamento muito! Envie uma fotografia e mandamos outra.'],
      ['posso ir buscar na {day}?', 'Pode, na {day} estamos cá até às sete.'],
      ['{product} existe noutra cor?', 'Em areia e em ardósia. Guardo uma?'],
      ['preciso da fatura da encomenda {order}', 'Claro, segue já por e-mail.'],
      ['dá para mudar a morada da encomenda {order}?', 'Está feito, agora vai para {city}.'],
    ],
    thanks: [
      ['Muito obrigada!', 'Sempre às ordens, {name}!'],
      ['Ótimo, que rapidez 👏', 'Bom dia e até breve!'],
    ],
    notes: ['Quer saber o prazo, ligar na {day}.', 'Cliente antigo.', 'Prometido reembolso de {price}.'],
  },
  de: {
    greeting: ['Hallo, ', 'Guten Morgen, ', 'Guten Tag, ', ''],
    exchanges: [
      ['habt ihr noch {product}?', 'Ja, {stock} Stück sind da.'],
      ['was kostet der Versand nach {city}?', 'Nach {city} kostet er {price}, ab zwei Stück nichts.'],
      ['meine Bestellung {order} ist noch nicht da', 'Sie ging am {day} raus und sollte morgen ankommen.'],
      [
        'leider kam das Stück mit einem Sprung an',
        'Das tut uns leid! Bitte ein Foto, dann schicken wir Ersatz.',
      ],
      ['kann ich es am {day} abholen?', 'Am {day} gern, wir sind bis 18 Uhr da.'],
      [
        'gibt es {product} auch in einer anderen Farbe?',
        'In Sand und in Schiefer. Soll ich eins zurücklegen?',
      ],
      ['ich bräuchte die Rechnung zu Bestellung {order}', 'Kommt sofort per E-Mail.'],
      ['kann ich die Adresse von Bestellung {order} noch ändern?', 'Erledigt, sie geht jetzt nach {city}.'],
    ],
    thanks: [
      ['Super, vielen Dank!', 'Gern geschehen, {name}!'],
      ['Das ging ja schnell 😊', 'Schönen Tag noch!'],
    ],
    notes: [
      'Fragt nach dem Liefertermin, am {day} anrufen.',
      'Stammkundin.',
      'Erstattung von {price} zugesagt.',
    ],
  },
};

/** Places and days that lines name, by language. */
export const cities: Record<Language, readonly string[]> = {
  en: ['Bristol', 'Leeds', 'Portland', 'Dover', 'Austin', 'York'],
  es: ['Sevilla', 'Bilbao', 'Málaga', 'Gijón', 'Valencia', 'Cádiz'],
  pt: ['Porto', 'Évora', 'Coimbra', 'São Paulo', 'Faro', 'Braga'],
  de: ['Köln', 'Jena', 'Bremen', 'Freiburg', 'Wien', 'Görlitz'],
};

export const days: Record<Language, readonly string[]> = {
  en: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
  es: ['lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado'],
  pt: ['segunda', 'terça', 'quarta', 'quinta', 'sexta', 'sábado'],
  de: ['Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag', 'Samstag'],
};
