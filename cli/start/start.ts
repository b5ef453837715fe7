// `npm start`: the whole system on one machine, with a demonstration, from one command.
import { rmSync } from 'node:fs';
import { generateWebhookSecret } from '../../core/crypto/webhook-signature.ts';
import { linkUrl } from '../../api/auth/links.ts';
import { mailFolder } from '../../api/auth/mail/mailer.ts';
import { parseConfig, SETTINGS, type Config } from '../../core/config.ts';
import { startDemoOrigin, type DemoOrigin } from '../../demo/origin.ts';
import { startDemoReceiver, type DemoReceiver } from '../../demo/receiver.ts';
import { openApi } from './api-client.ts';
import { INSPECT, startDashboardServer, startDevService } from './dev.ts';
import { buildDashboard, hasDashboard } from './build-dashboard.ts';
import { childSettings } from './child-settings.ts';
import { writeDevFile, type DevFile } from '../process/dev-file.ts';
import { followChanges } from './follow-changes.ts';
import { claimPorts, type Ports } from './ports.ts';
import { readyScreen } from './ready-screen.ts';
import { openRun, type Run } from './run.ts';
import { runScript } from './run-script.ts';
import { requireDemoReach } from './demo-reach.ts';
import type { SeededDemo, SeedRequest } from './seed-demo.ts';
import { showMails } from './show-mails.ts';
import { startDatabase } from './start-database.ts';
import { NODE_ARGS, startService } from './start-service.ts';
import { usesTls } from '../../outbound/connect-temporal.ts';
import { startTemporal, type TemporalServer } from './start-temporal.ts';
import { type Report, showSteps, type Steps } from '../process/steps.ts';

/** `dev` restarts processes on save. */
export type StartMode = 'start' | 'dev';

/** What `npm start` and `npm run cluster` start differently. */
export interface ProcessPlan {
  startServers: (run: Run, config: Config, ports: Ports, steps: Steps) => Promise<Servers>;
  startServices: (run: Run, settings: NodeJS.ProcessEnv, steps: Steps) => Promise<void>;
}

/** One process of each kind. */
const oneOfEach = (mode: StartMode): ProcessPlan => ({
  startServers,
  startServices: (run, settings, steps) => startServices(run, settings, steps, mode),
});

/** How often the demonstration's origin moves to its next version. */
const MOVE_SECONDS = 20;

/**
 * Runs until the controller aborts, then ends every process that it started.
 * @throws the reason of the abort, or what went wrong, after everything has ended
 */
export async function start(
  env: NodeJS.ProcessEnv,
  abort: AbortController,
  mode: StartMode,
  plan: ProcessPlan = oneOfEach(mode),
): Promise<void> {
  const config = parseConfig(env);
  const run = await openRun(config.home, abort);
  const steps = showSteps(process.stdout);
  try {
    await runAll(run, env, config, steps, { mode, plan });
  } finally {
    steps.close();
    await run.stack.disposeAsync();
  }
}

async function runAll(
  run: Run,
  env: NodeJS.ProcessEnv,
  config: Config,
  steps: Steps,
  { mode, plan }: { mode: StartMode; plan: ProcessPlan },
): Promise<void> {
  const claims = run.stack.use(new DisposableStack());
  // A run that was killed leaves its file: until this one is ready, nothing is where it says.
  rmSync(run.home.file('dev.json'), { force: true });
  const ports = await claimPorts(run.home.file('ports.json'), env['PORT'] ? config.port : undefined, claims);
  const apiUrl = `http://127.0.0.1:${ports.api}`;
  const dashboard = mode === 'dev' ? serveDashboard(run, steps, ports, apiUrl) : prepareDashboard(run, steps);
  const servers = await plan.startServers(run, config, ports, steps);
  const demo = await startDemo(run, ports);
  const addresses = {
    apiPort: ports.api,
    ...(mode === 'dev' ? { frontPort: ports.dashboard } : {}),
    databaseUrl: servers.databaseUrl,
    temporalAddress: servers.temporal.address,
    temporalUiUrl: servers.temporal.uiUrl,
    originUrl: demo.origin.url,
  };
  const settings = childSettings(env, run.home, addresses, servers.settings);
  await run.all([plan.startServices(run, settings, steps), dashboard]);
  const system = {
    run,
    config: parseConfig(settings),
    apiUrl,
    mode,
    ...servers,
    ...demo,
  };
  const seeded = await steps.run(
    'Demonstration',
    () => seed(system, settings),
    ({ sourceId }) => `record ${sourceId}`,
  );
  steps.close();
  await follow(system, seeded);
}

interface System extends Servers, Demo {
  run: Run;
  /** Of the worker and the API. */
  config: Config;
  apiUrl: string;
  mode: StartMode;
}

interface Servers {
  databaseUrl: string;
  temporal: TemporalServer;
  /** Settings of worker and API with these servers, unless the environment has others. */
  settings?: Readonly<Record<string, string>>;
}

/** PostgreSQL and Temporal, side by side: the latter may have to be built first. */
async function startServers(run: Run, config: Config, ports: Ports, steps: Steps): Promise<Servers> {
  const databaseUrl = steps.run(
    'PostgreSQL',
    (report) => startDatabase(run, { given: config.databaseUrl, port: ports.postgres }, report),
    () => (config.databaseUrl === '' ? `127.0.0.1:${ports.postgres}, migrated` : 'migrated'),
  );
  const { temporalAddress: given, temporalNamespace: namespace } = config;
  const options = {
    given,
    usesTls: usesTls(config),
    namespace,
    port: ports.temporal,
    uiPort: ports.temporalUi,
  };
  const temporal = steps.run(
    'Temporal',
    (report) => startTemporal(run, options, report),
    ({ words }) => words,
  );
  await run.all([databaseUrl, temporal]);
  return { databaseUrl: await databaseUrl, temporal: await temporal };
}

/** Everything else runs without the dashboard when its build fails. */
async function prepareDashboard({ signal }: Run, steps: Steps): Promise<void> {
  const build = async (report: Report): Promise<boolean> => {
    report('building');
    return buildDashboard(signal);
  };
  try {
    await steps.run('Dashboard', build, (isNew) => (isNew ? 'built' : 'up to date'));
  } catch (error) {
    if (signal.aborted) return;
    console.log(`✗ Dashboard: npm run build fails. ${error instanceof Error ? error.message : ''}`);
  }
}

/** From its sources: a saved file is seen at once. */
async function serveDashboard(run: Run, steps: Steps, ports: Ports, apiUrl: string): Promise<void> {
  await steps.run(
    'Dashboard',
    () => startDashboardServer(run, ports.dashboard, apiUrl),
    ({ pid }) => `process ${pid}`,
  );
}

interface Demo {
  origin: DemoOrigin;
  receiver: DemoReceiver;
  webhookSecret: string;
}

async function startDemo(run: Run, ports: Ports): Promise<Demo> {
  const { home, stack } = run;
  const webhookSecret = home.keep('demo-webhook-secret', generateWebhookSecret);
  const origin = await startDemoOrigin({ port: ports.origin, positionFile: home.file('demo-position.json') });
  stack.defer(origin.close);
  const receiver = await startDemoReceiver({ port: ports.receiver, secret: webhookSecret });
  stack.defer(receiver.close);
  return { origin, receiver, webhookSecret };
}

async function startServices(run: Run, env: NodeJS.ProcessEnv, steps: Steps, mode: StartMode): Promise<void> {
  const startOne = (name: string, folder: keyof typeof NODE_ARGS) =>
    steps.run(
      name,
      (report) => {
        report('waiting until it is ready');
        const service = {
          name,
          entry: `${folder}/main.ts`,
          nodeArgs: NODE_ARGS[folder],
          // The next start, or restart, loads the same code in half of the time.
          env: { NODE_COMPILE_CACHE: run.home.file('cache/compiled'), ...metricsApart(env, folder) },
          logFile: run.home.logFile(name.toLowerCase()),
        };
        return mode === 'dev'
          ? startDevService(run, service, folder)
          : startService({ ...service, signal: run.signal, onStart: run.adopt });
      },
      ({ pid }) => `process ${pid}`,
    );
  await run.all([startOne('Worker', 'worker'), startOne('API', 'api')]);
}

/** One environment is given for both processes, so the worker shows its metrics on the port after the API's. */
function metricsApart(env: NodeJS.ProcessEnv, process: keyof typeof NODE_ARGS): NodeJS.ProcessEnv {
  const { metricsAddress: given } = parseConfig(env);
  if (given === null || process === 'api') return env;
  return { ...env, [SETTINGS.metricsAddress.name]: `${given.host}:${given.port + 1}` };
}

async function seed(system: System, env: NodeJS.ProcessEnv): Promise<SeededDemo> {
  const { run, config, origin, receiver } = system;
  requireDemoReach(config.allowAddresses, [origin.url, receiver.url]);
  const request: SeedRequest = {
    originUrl: origin.url,
    receiverUrl: receiver.url,
    apiUrl: system.apiUrl,
    dataDir: run.home.folder,
    webhookSecret: system.webhookSecret,
    checkIntervalMinutes: Math.max(config.minCheckSeconds, 1) / 60,
  };
  const output = await runScript('cli/start/seed-main.ts', [], {
    env,
    signal: run.signal,
    input: JSON.stringify(request),
  });
  // Printed by seed-main.ts.
  const seeded: SeededDemo = JSON.parse(output);
  return seeded;
}

/** Shows where everything is, then each change, until the run ends. */
async function follow(system: System, seeded: SeededDemo): Promise<void> {
  const { run, config, origin, receiver, temporal } = system;
  const dev: DevFile = {
    baseUrl: config.baseUrl,
    dashboardUrl: system.mode === 'dev' || hasDashboard() ? `${config.baseUrl}/dashboard/` : null,
    apiKey: seeded.apiKey,
    accountId: seeded.accountId,
    databaseUrl: system.databaseUrl,
    temporalAddress: temporal.address,
    temporalNamespace: config.temporalNamespace,
    temporalUiUrl: temporal.uiUrl,
    temporalDatabaseUrl: temporal.databaseUrl,
    blobStore: config.blobStore,
    demo: { originUrl: origin.url, sourceId: seeded.sourceId },
    pids: run.pids(),
  };
  const devFile = run.home.file('dev.json');
  run.stack.use(writeDevFile(devFile, dev));
  run.onStart(() => writeDevFile(devFile, { ...dev, pids: run.pids() }));
  const { webhookId, sourceId } = seeded;
  const screen = {
    ...dev,
    folder: run.home.folder,
    signInUrl: linkUrl(config.baseUrl, seeded.signInToken),
    receiverUrl: receiver.url,
    webhookId,
    moveSeconds: MOVE_SECONDS,
    inspect: system.mode === 'dev' ? INSPECT : null,
  };
  console.log(readyScreen(screen));
  if (config.smtpUrl === '') {
    run.stack.use(showMails(mailFolder(run.home.folder), (text) => console.log(text)));
  }
  origin.walk(MOVE_SECONDS);
  const api = openApi(system.apiUrl, seeded.apiKey);
  await followChanges({ api, sourceId, receiver, print: (line) => console.log(line), signal: run.signal });
  run.signal.throwIfAborted();
}
