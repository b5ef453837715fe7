// Connections to Temporal on a machine whose environment names a proxy.
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Connection } from '@temporalio/client';
import { expect, it, onTestFinished, vi } from 'vitest';
import { parseConfig } from '../../core/config.ts';
import { temporalConnectionOptions } from '../../outbound/connect-temporal.ts';
import { openTemporal } from '../support/servers/temporal.ts';

it('asks no proxy for the way to Temporal (regression)', async () => {
  let asked = 0;
  const proxy = createServer((socket) => {
    asked += 1;
    socket.destroy();
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => void proxy.close());
  const temporal = await openTemporal();
  onTestFinished(() => temporal.connection.close());
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  for (const name of ['grpc_proxy', 'https_proxy', 'http_proxy']) vi.stubEnv(name, url);
  for (const name of ['no_grpc_proxy', 'no_proxy']) vi.stubEnv(name, undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  const options = temporalConnectionOptions(parseConfig({ TEMPORAL_ADDRESS: temporal.address }));
  const connection = await Connection.connect(options);
  onTestFinished(() => connection.close());
  await expect(connection.workflowService.getSystemInfo({})).resolves.toHaveProperty('serverVersion');
  expect(asked).toBe(0);
});
