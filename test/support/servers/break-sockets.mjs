// Preloaded into a worker (NODE_OPTIONS): an answer with an X-Fault header makes a listener of its own connection throw at
// the named event, as an assertion of the HTTP library once did.
import { subscribe } from 'node:diagnostics_channel';

const sockets = new WeakMap();
subscribe('undici:client:sendHeaders', ({ request, socket }) => sockets.set(request, socket));
subscribe('undici:request:headers', ({ request, response }) => {
  const texts = response.headers.map((bytes) => bytes.toString().toLowerCase());
  const [event, kind] = texts[texts.indexOf('x-fault') + 1]?.split(' ') ?? [];
  if (!texts.includes('x-fault')) return;
  sockets.get(request).prependOnceListener(event, () => {
    const fault = new Error('A fault of the test');
    if (kind !== 'rejection') throw fault;
    void Promise.reject(fault);
  });
});
