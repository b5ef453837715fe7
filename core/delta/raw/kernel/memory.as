// Memory that is taken and never given back, and a space at its end that is used again.

let free: usize = 0;
let end: usize = 0;
let last: usize = 0;

export function giveMemory(from: usize, to: usize): void {
  free = from;
  end = to;
  last = to;
}

/** @returns 0 when there is none */
export function allocate(sizeBytes: usize): usize {
  if (sizeBytes > end - free) return 0;
  const at = free;
  free += (sizeBytes + 15) & ~15;
  return at;
}

/** A space that replaces the one that was reserved before. @returns 0 when there is none */
export function reserveAtEnd(sizeBytes: usize): usize {
  if (sizeBytes + 15 > last - free) return 0;
  end = (last - sizeBytes) & ~15;
  return end;
}
