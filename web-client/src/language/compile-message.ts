import type { CompiledMessage, CompiledMessageToken as Token } from '@lingui/message-utils/compileMessage';

/**
 * Reads a message of the code: texts, `{name}`, and plurals and selections with texts inside. The library's own
 * reader is six times the size of this; catalogs have been through that one when the dashboard was built.
 */
export function compileMessage(message: string): CompiledMessage {
  if (!message.includes('{')) return [message.replaceAll("''", "'")];
  return new Reader(message).texts(false);
}

class Reader {
  readonly #message: string;
  #at = 0;

  constructor(message: string) {
    this.#message = message;
  }

  /** Until the end or the brace that closes. @param counted `#` is the number of a plural */
  texts(counted: boolean): Token[] {
    const found: Token[] = [];
    let text = '';
    const add = (token?: Token) => {
      if (text !== '') found.push(text);
      text = '';
      if (token) found.push(token);
    };
    for (; this.#at < this.#message.length; this.#at += 1) {
      const character = this.#message.charAt(this.#at);
      if (character === '}') break;
      if (character === '{') add(this.#argument());
      else if (character === '#' && counted) add('#');
      else if (character === "'") text += this.#quoted();
      else text += character;
    }
    add();
    return found;
  }

  /** `{name}` or `{name, plural, one {# day} other {# days}}`; stands at its last brace afterwards. */
  #argument(): Token {
    const name = this.#word(/[,}]/);
    if (this.#message.charAt(this.#at) === '}') return [name];
    this.#at += 1;
    const kind = this.#word(/,/);
    this.#at += 1;
    const forms: Record<string, CompiledMessage> = {};
    for (;;) {
      const form = this.#word(/[{}]/);
      if (this.#message.charAt(this.#at) !== '{') break;
      this.#at += 1;
      forms[form.replace('=', '')] = this.texts(kind === 'plural');
      this.#at += 1;
    }
    return [name, kind, forms];
  }

  /** Up to one of the marks. */
  #word(mark: RegExp): string {
    const start = this.#message.charAt(this.#at) === '{' ? this.#at + 1 : this.#at;
    const length = this.#message.slice(start).search(mark);
    this.#at = length < 0 ? this.#message.length : start + length;
    return this.#message.slice(start, this.#at).trim();
  }

  /** `''` is an apostrophe, `'{…'` a brace as it stands, any other apostrophe itself. */
  #quoted(): string {
    const next = this.#message.charAt(this.#at + 1);
    if (next === "'") {
      this.#at += 1;
      return "'";
    }
    const end = this.#message.indexOf("'", this.#at + 1);
    if ((next !== '{' && next !== '}') || end < 0) return "'";
    const text = this.#message.slice(this.#at + 1, end);
    this.#at = end;
    return text;
  }
}
