import type { Random } from './random.ts';

const materials = [
  'oak',
  'ash',
  'linen',
  'stoneware',
  'porcelain',
  'brass',
  'wool',
  'cork',
  'beech',
  'glass',
];
const things = [
  'bowl',
  'mug',
  'lamp',
  'vase',
  'plate',
  'blanket',
  'stool',
  'tray',
  'jug',
  'candle holder',
  'basket',
  'clock',
];
const colours = ['sand', 'slate', 'sea green', 'rust', 'chalk', 'ink blue', 'moss', 'amber', 'natural'];
const lines = [
  'Alba',
  'Bruma',
  'Costa',
  'Duna',
  'Estela',
  'Faro',
  'Golfo',
  'Lume',
  'Maré',
  'Norte',
  'Pinho',
  'Sal',
];

export interface CatalogueEntry {
  name: string;
  sku: string;
  description: string;
  /** Minor units. */
  price: number;
  stock: number | null;
}

/** Product number `index`; the SKU is unique within the seed. */
export function catalogueEntry(random: Random, index: number, mark: string): CatalogueEntry {
  const [thing, material, colour, line] = [things, materials, colours, lines].map((words) =>
    random.pick(words),
  );
  return {
    name: `${capital(thing ?? '')} “${line}”, ${material}, ${colour}`,
    sku: `${mark}-${String(index + 1).padStart(5, '0')}`.toUpperCase(),
    description: `${capital(material ?? '')} ${thing} of the ${line} line, finished in ${colour}. Made in small batches.`,
    price: random.between(9, 480) * 50,
    // Made to order: not tracked.
    stock: random.chance(15) ? null : random.between(50, 400) * 100,
  };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
