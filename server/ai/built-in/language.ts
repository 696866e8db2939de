import { eld } from 'eld/small';
import type { Language } from './rules.ts';
import { plain } from './text.ts';

/** Short messages are full of these, and too short for letter statistics. Those of two languages are left out. */
const marks: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: new Set(
    `the is are you your my it hi hello hey thanks thank please how what where when do does can could would i and ok
     price still much want good morning afternoon evening cheers`.split(/\s+/),
  ),
  es: new Set(
    `hola buenas buenos gracias el los las cuanto donde quiero tienen tienes teneis hay y muy mi mis pero usted
     ustedes puedo pedido llego cuesta vale precio una esta hasta que tardes noches dias listo vale`.split(
      /\s+/,
    ),
  ),
  pt: new Set(
    `ola oi obrigado obrigada voce voces nao bom boa dia tarde noite quanto onde quero tem ainda o os e meu minha com
     encomenda muito preco ate fica uma esta tudo que valeu entendi chatice alo`.split(/\s+/),
  ),
};

const known: readonly Language[] = ['en', 'es', 'pt'];

/**
 * Language of what somebody wrote: letter statistics over all of it, telling words where those are not sure.
 * @returns null for other languages, and where nothing can be told
 */
export function languageOf(text: string): Language | null {
  const guess = eld.detect(text.slice(0, 2_000));
  const found = known.find((language) => language === guess.language);
  if (guess.isReliable() && guess.language !== '') {
    if (found) return found;
    // A few words may look like anything; more words in another language are that language.
    if (text.trim().split(/\s+/).length > 3) return null;
  }
  return byWords(text) ?? found ?? null;
}

function byWords(text: string): Language | null {
  const words = plain(text).match(/\p{L}+/gu) ?? [];
  const votes = known
    .map((language) => ({ language, count: words.filter((word) => marks[language].has(word)).length }))
    .sort((a, b) => b.count - a.count);
  const [first, second] = votes;
  return first && second && first.count > second.count ? first.language : null;
}
