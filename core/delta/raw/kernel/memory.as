// Memory that is taken and never given back.

let free: usize = 0;
let end: usize = 0;

export function giveMemory(from: usize, to: usize): void {
  free = from;
  end = to;
}

/** @returns 0 when there is none */
export function allocate(sizeBytes: usize): usize {
  if (sizeBytes > end - free) return 0;
  const at = free;
  free += (sizeBytes + 15) & ~15;
  return at;
}
