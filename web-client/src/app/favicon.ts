import type { Mode } from './mode.ts';

const colours: Readonly<Record<Mode, string>> = { live: '#0b5cad', test: '#8a5a00' };

/** The sign in the browser's tab: of the mode (test has a T in it), with a dot while something is unread. */
export function showFavicon(mode: Mode, unread: boolean): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  if (!link) return;
  const file = mode === 'test' ? '/icon-test.svg' : '/icon.svg';
  link.href = unread ? `data:image/svg+xml,${encodeURIComponent(withDot(mode))}` : file;
}

/** As `icon.svg` and `icon-test.svg`. */
function withDot(mode: Mode): string {
  const colour = colours[mode];
  const letter = mode === 'test' ? `<path d="M12 12h8v1.8h-3.1v4.8h-1.8v-4.8H12z" fill="${colour}"/>` : '';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
    <rect width="32" height="32" rx="8" fill="${colour}"/>
    <path d="M8 10h16v10H15l-5 4v-4H8z" fill="#fff"/>${letter}
    <circle cx="25" cy="7" r="7" fill="#d92d20" stroke="#fff" stroke-width="2"/>
  </svg>`;
}
