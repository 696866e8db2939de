/** Twice what it is shown in. */
const side = 256;

/** The middle of a picture, small enough for every list. What the browser can't read stays as it is, to be refused. */
export async function squareOf(file: File): Promise<File> {
  const picture = await createImageBitmap(file).catch(() => null);
  if (!picture) return file;
  const canvas = document.createElement('canvas');
  canvas.width = side;
  canvas.height = side;
  const shown = Math.min(picture.width, picture.height);
  const [left, top] = [(picture.width - shown) / 2, (picture.height - shown) / 2];
  canvas.getContext('2d')?.drawImage(picture, left, top, shown, shown, 0, 0, side, side);
  picture.close();
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  return blob ? new File([blob], 'picture.png', { type: 'image/png' }) : file;
}
