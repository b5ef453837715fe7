// Servers that the projects of a run share: the first project starts one, the last project ends it.

export interface Started<Value> {
  value: Value;
  stop: () => Promise<void>;
}

interface Shared {
  started: Promise<Started<unknown>>;
  users: number;
}

/** Each project loads its own copy of the set-up files; the process is the same. */
const ALL = Symbol.for('recordwatch.test.shared-servers');

/** @returns what the first `start` under this name came to; `stop` ends it when nobody else uses it */
export async function shareServer<Value>(
  name: string,
  start: () => Promise<Started<Value>>,
): Promise<Started<Value>> {
  // Nothing else is kept under this symbol.
  const process = globalThis as { [ALL]?: Map<string, Shared> };
  const servers = (process[ALL] ??= new Map<string, Shared>());
  const shared = servers.get(name) ?? { started: start(), users: 0 };
  servers.set(name, shared);
  shared.users += 1;
  const stop = async (): Promise<void> => {
    shared.users -= 1;
    if (shared.users > 0) return;
    servers.delete(name);
    await (await shared.started).stop();
  };
  try {
    // One name is one kind of server.
    const { value } = (await shared.started) as Started<Value>;
    return { value, stop };
  } catch (error) {
    servers.delete(name);
    throw error;
  }
}
