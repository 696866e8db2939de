import { h, icon, set } from './dom.ts';
import type { Appearance } from './types.ts';

/** Another word on it at most so often, in milliseconds. */
const typingPause = 4_000;
const textMaximum = 4_096;

interface Actions {
  send(content: { text: string } | { file: File }): void;
  typing(on: boolean): void;
  refuseFile(code: string): void;
}

/** Where the visitor writes: Enter sends, Shift+Enter makes a line, files by button, drop or paste. */
export class Composer {
  readonly element: HTMLFormElement;
  readonly input: HTMLTextAreaElement;
  readonly #actions: Actions;
  readonly #look: Appearance;
  #toldAt = 0;

  constructor(look: Appearance, actions: Actions) {
    const { texts } = look;
    this.#look = look;
    this.#actions = actions;
    this.input = h('textarea', {
      rows: 1,
      maxlength: textMaximum,
      placeholder: texts.placeholder,
      'aria-label': texts.placeholder.replace(/…$/, ''),
      enterkeyhint: 'send',
      dir: 'auto',
    });
    const picker = h('input', {
      type: 'file',
      multiple: true,
      hidden: true,
      tabindex: -1,
      'aria-hidden': 'true',
    });
    picker.addEventListener('change', () => {
      this.#take(picker.files);
      picker.value = '';
    });
    const attach = h(
      'button',
      {
        type: 'button',
        class: 'attach',
        'aria-label': texts.attach,
        title: texts.attach,
        onclick: () => picker.click(),
      },
      icon('attach'),
    );
    const send = h(
      'button',
      { type: 'submit', class: 'send', 'aria-label': texts.send, title: texts.send },
      icon('send'),
    );
    this.element = h(
      'form',
      { class: 'composer' },
      look.files && picker,
      look.files && attach,
      this.input,
      send,
    );
    this.element.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.input.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.#submit();
    });
    this.input.addEventListener('input', () => this.#written());
    if (look.files) this.#acceptFiles();
  }

  #acceptFiles(): void {
    this.input.addEventListener('paste', (event) => {
      if (!event.clipboardData?.files.length) return;
      event.preventDefault();
      this.#take(event.clipboardData.files);
    });
    const over = (event: DragEvent, on: boolean) => {
      event.preventDefault();
      set(this.element, 'data-over', on);
    };
    this.element.addEventListener('dragover', (event) => over(event, true));
    this.element.addEventListener('dragleave', (event) => over(event, false));
    this.element.addEventListener('drop', (event) => {
      over(event, false);
      this.#take(event.dataTransfer?.files ?? null);
    });
  }

  #take(files: FileList | null): void {
    for (const file of files ?? []) {
      if (file.size > this.#look.max_file_bytes) this.#actions.refuseFile('payload_too_large');
      else this.#actions.send({ file });
    }
  }

  #submit(): void {
    const text = this.input.value.trim();
    if (text === '') return;
    this.input.value = '';
    this.#written();
    this.#actions.send({ text });
  }

  #written(): void {
    // As high as its text, up to what the style sheet allows.
    this.input.style.height = 'auto';
    this.input.style.height = `${this.input.scrollHeight + 2}px`;
    const some = this.input.value.trim() !== '';
    const now = Date.now();
    if (some && now - this.#toldAt < typingPause) return;
    if (!some && this.#toldAt === 0) return;
    this.#toldAt = some ? now : 0;
    this.#actions.typing(some);
  }
}
