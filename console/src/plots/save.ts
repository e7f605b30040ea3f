import { saveFile } from '../kit/save-file';

export function savePicture(name: string, canvas: HTMLCanvasElement): void {
  canvas.toBlob((content) => {
    if (content) saveFile(`${name}.png`, content);
  });
}

/** Converts a title to a file name. */
export function fileName(title: string): string {
  return (
    title
      .replaceAll(/[\\/:*?"<>|\p{Cc}\p{Cf}]+/gu, ' ')
      .trim()
      .slice(0, 150)
      .trim() || 'waypost'
  );
}
