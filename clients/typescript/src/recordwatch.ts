// The client: the resources of the API under one object.
import type { RecordwatchOptions } from './http/options.ts';
import { Transport } from './http/transport.ts';
import { Account } from './resources/account.ts';
import { AccountWebhooks } from './resources/account-webhooks.ts';
import { Changes } from './resources/changes.ts';
import { Checks } from './resources/checks.ts';
import { Events } from './resources/events.ts';
import { KeyRequests } from './resources/key-requests.ts';
import { Keys } from './resources/keys.ts';
import { RecordKeys } from './resources/record-keys.ts';
import { Records } from './resources/records.ts';
import { Sessions } from './resources/sessions.ts';
import { Snapshots } from './resources/snapshots.ts';
import { Webhooks } from './resources/webhooks.ts';

export class Recordwatch {
  readonly records: Records;
  readonly checks: Checks;
  readonly changes: Changes;
  readonly events: Events;
  readonly snapshots: Snapshots;
  readonly webhooks: Webhooks;
  readonly accountWebhooks: AccountWebhooks;
  readonly keys: Keys;
  readonly recordKeys: RecordKeys;
  readonly keyRequests: KeyRequests;
  readonly account: Account;
  readonly sessions: Sessions;

  constructor(options: RecordwatchOptions) {
    const transport = new Transport(options);
    this.records = new Records(transport);
    this.checks = new Checks(transport);
    this.changes = new Changes(transport);
    this.events = new Events(transport);
    this.snapshots = new Snapshots(transport);
    this.webhooks = new Webhooks(transport);
    this.accountWebhooks = new AccountWebhooks(transport);
    this.keys = new Keys(transport);
    this.recordKeys = new RecordKeys(transport);
    this.keyRequests = new KeyRequests(transport);
    this.account = new Account(transport);
    this.sessions = new Sessions(transport);
  }
}
