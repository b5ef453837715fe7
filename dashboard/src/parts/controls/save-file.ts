// Saves a file through the browser.

/** @param disposition the server's Content-Disposition */
export function saveBlob(blob: Blob, disposition: string | null, fallbackName: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = /filename="([^"]+)"/.exec(disposition ?? '')?.[1] ?? fallbackName;
  link.click();
  // By then the browser has begun to read it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Follows a link to one of the product's files; the page stays. */
export function followDownload(url: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = '';
  link.click();
}
