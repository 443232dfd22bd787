/** Downloads a blob under a file name. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  // Some browsers read the blob only after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
