// A gate that a test opens: waiting code goes on then, and not before.

export interface Gate {
  wait: () => Promise<void>;
  open: () => void;
}

export function createGate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { wait: () => promise, open: () => resolve() };
}
