// Hands a file to the browser to be kept.

/** @param disposition Content-Disposition as the server sent it */
export function saveBlob(blob: Blob, disposition: string | null, fallbackName: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = /filename="([^"]+)"/.exec(disposition ?? '')?.[1] ?? fallbackName;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Follows a link to a file of this product's own; the page stays. */
export function followDownload(url: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = '';
  link.click();
}
