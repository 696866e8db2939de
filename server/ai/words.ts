/** Words that say nothing of the matter, in English, Spanish and Portuguese, without accents. */
const common = new Set(
  `the and you your yours are was were for with that this these those there here have has had not but can could would
  should will shall what when where which who how why from about into out they them their its our ours his her she him
  any some all just also very please hello hey good morning afternoon evening thanks thank did does don get got let may
  than then too over under after before more most much many still yet again been being one two
  que los las una unos unas por para con del como esta este esto estos estas ese esa eso pero mas muy sin sobre hay son
  ser soy eres fue han has hace hola buenos buenas dias tardes noches gracias favor porque cuando donde quien cual cuales
  tambien aqui alli todo todos toda todas algo nada les nos mis tus sus tengo tiene tienen puedo puede pueden quiero
  quisiera queria
  uma uns umas com dos das nos nas pelo pela pelos pelas ela ele eles elas isso isto esse essa este esta nao sim foi sao
  ser ter tem tenho temos voce voces ola bom boa dia tarde noite obrigado obrigada por favor quando onde quem qual quais
  tambem aqui ali tudo todos toda todas algo nada meu minha meus minhas seu sua seus suas posso pode podem quero queria
  gostaria`.split(/\s+/),
);

/** Lower case, without accents: how words are compared. */
export function fold(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** The words that say what a text is about, folded, longest first; numbers are not among them. */
export function contentWords(text: string, most: number): string[] {
  const words = new Set(fold(text).match(/\p{L}{3,}/gu) ?? []);
  return [...words]
    .filter((word) => !common.has(word))
    .sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
    .slice(0, most);
}
