// Servers that the projects of a run share. The first project starts one, and the last project stops it.

export interface Started<Value> {
  value: Value;
  stop: () => Promise<void>;
}

interface Shared {
  started: Promise<Started<unknown>>;
  users: number;
}

/** Each project loads its own copy of the set-up files in the same process, so the servers are kept globally. */
const ALL = Symbol.for('recordwatch.test.shared-servers');

/** @returns the server that the first `start` with this name started; `stop` ends it when no other project uses it */
export async function shareServer<Value>(
  name: string,
  start: () => Promise<Started<Value>>,
): Promise<Started<Value>> {
  // Only this file uses the symbol.
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
    // Each name belongs to one type of server.
    const { value } = (await shared.started) as Started<Value>;
    return { value, stop };
  } catch (error) {
    servers.delete(name);
    throw error;
  }
}
