/** Hands a file to the browser's downloads. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

export function savePicture(name: string, canvas: HTMLCanvasElement): void {
  canvas.toBlob((content) => {
    if (content) saveFile(`${name}.png`, content);
  });
}

/** A title as the name of a file. */
export function fileName(title: string): string {
  return (
    title
      .replaceAll(/[\\/:*?"<>|\p{Cc}\p{Cf}]+/gu, ' ')
      .trim()
      .slice(0, 80) || 'waypost'
  );
}
