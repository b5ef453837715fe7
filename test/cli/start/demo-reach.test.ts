// What `npm start` says when its settings leave out the demonstration.
import { expect, it } from 'vitest';
import { requireDemoReach } from '../../../cli/start/demo-reach.ts';

const URLS = ['http://127.0.0.1:8090/licences.csv', 'http://127.0.0.1:8091/deliveries'];

it.each([[['127.0.0.0/8', '::1/128']], [['127.0.0.1:8090', '127.0.0.1:8091']]])(
  'accepts %j',
  (allowAddresses) => {
    expect(() => requireDemoReach(allowAddresses, URLS)).not.toThrow();
  },
);

it('regression: names the setting, and what to add to it', () => {
  expect(() => requireDemoReach(['10.0.0.0/8', '127.0.0.1:8090'], URLS)).toThrow(
    'ALLOW_ADDRESSES leaves out the demonstration, which is at 127.0.0.1:8091. ' +
      'Add 127.0.0.1:8091 to ALLOW_ADDRESSES, or leave ALLOW_ADDRESSES unset.',
  );
  expect(() => requireDemoReach(['10.0.0.0/8'], URLS)).toThrow('Add 127.0.0.1:8090,127.0.0.1:8091 to');
});
