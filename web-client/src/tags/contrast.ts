const dark = '#000000';
const light = '#ffffff';

/** Black or white, whichever can be read better on a colour (`#RRGGBB`), and their contrast: 4.5 at least. */
export function inkOn(color: string): { ink: string; contrast: number } {
  const [black, white] = [contrastOf(color, dark), contrastOf(color, light)];
  return white >= black ? { ink: light, contrast: white } : { ink: dark, contrast: black };
}

/** Of two colours, by WCAG 2: 1 to 21. */
function contrastOf(one: string, other: string): number {
  const [low = 0, high = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255 || 0;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
