// A gate that a test opens. Code that waits for it continues only then.

export interface Gate {
  wait: () => Promise<void>;
  open: () => void;
}

export function createGate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { wait: () => promise, open: () => resolve() };
}
