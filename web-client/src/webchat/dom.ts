type Child = Node | string | null | false;
type Props = Record<string, string | number | boolean | null | ((event: never) => void)>;

/**
 * An element with attributes, listeners (`onclick`) and children. Nothing is ever parsed as HTML and no attribute
 * holds script or style, so the strictest policy of a page lets it pass.
 */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value as EventListener);
    else set(element, name, value);
  }
  element.append(...children.filter((child): child is Node | string => child !== null && child !== false));
  return element;
}

/** Sets an attribute, or takes it away. Touches nothing when it is as asked. */
export function set(element: Element, name: string, value: string | number | boolean | null): void {
  const text = value === null || value === false ? null : value === true ? '' : String(value);
  if (element.getAttribute(name) === text) return;
  if (text === null) element.removeAttribute(name);
  else element.setAttribute(name, text);
}

const svg = 'http://www.w3.org/2000/svg';

/** Line drawings of 24 by 24; decoration, so never read out. */
const paths = {
  chat: 'M21 11.5a8.4 8.4 0 0 1-12.2 7.5L3 21l2-5.3A8.5 8.5 0 1 1 21 11.5Z',
  close: 'M18 6 6 18M6 6l12 12',
  down: 'm6 9 6 6 6-6',
  send: 'M12 19V5m-6 6 6-6 6 6',
  attach:
    'm21 11.5-8.6 8.6a5.6 5.6 0 0 1-8-8l8.7-8.6a3.8 3.8 0 0 1 5.3 5.3l-8.6 8.6a1.9 1.9 0 0 1-2.7-2.6l8-7.9',
  file: 'M14 3H6v18h12V7l-4-4Zm0 0v4h4',
} as const;

export function icon(name: keyof typeof paths): SVGSVGElement {
  const drawing = document.createElementNS(svg, 'svg');
  for (const [key, value] of Object.entries({
    viewBox: '0 0 24 24',
    'aria-hidden': 'true',
    focusable: 'false',
  }))
    drawing.setAttribute(key, value);
  const line = document.createElementNS(svg, 'path');
  line.setAttribute('d', paths[name]);
  drawing.append(line);
  return drawing;
}

/** A text with what is in braces filled in. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** The text with its web addresses as links; `note` says that they open elsewhere. */
export function linked(text: string, note: string): Node[] {
  return text.split(/(https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]}])/g).map((part, index) => {
    if (index % 2 === 0 || !URL.canParse(part)) return document.createTextNode(part);
    return h('a', { href: part, target: '_blank', rel: 'noopener noreferrer nofollow', title: note }, part);
  });
}

/** Black or white, whichever is read better on the colour: one of them always has 4.5:1. */
export function onColor(color: string): string {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? '#000000' : '#ffffff';
}
