// The API's resources and requests, under the names that programs use.
import type { components, operations } from './schema.ts';

type Schemas = components['schemas'];

/** A JSON value, for example in a cell. Rows of CSV have texts only. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue };
/** A row: its cells by column. */
export type RowData = Record<string, JsonValue>;

export type WatchedRecord = Schemas['Record'];
export type RecordNotice = Schemas['Notice'];
export type ColumnRule = Schemas['ColumnRule'];
export type RulePreview = Schemas['RulePreview'];
export type RecordPreview = Schemas['RecordPreview'];
export type EventsPreview = Schemas['EventsPreview'];
export type ConditionPreview = Schemas['ConditionPreview'];
export type Check = Schemas['Check'];
export type CheckDetail = Schemas['CheckDetail'];
export type AcceptedCheck = Schemas['AcceptedCheck'];
export type DeltaEvent = Schemas['DeltaEvent'];
export type DeltaRow = Omit<Schemas['DeltaRow'], 'before' | 'after'> & {
  before: RowData | null;
  after: RowData | null;
};
export type Comparison = Schemas['Comparison'];
export type FeedEvent = Schemas['FeedEvent'];
export type Snapshot = Schemas['Snapshot'];
export type SnapshotRow = Omit<Schemas['SnapshotRow'], 'data'> & { data: RowData };
export type RowHistoryEntry = Schemas['RowHistoryEntry'];
export type RowSample = Omit<Schemas['RowSample'], 'rows'> & { rows: SnapshotRow[] };
export type Profile = Schemas['Profile'];
export type QueryResult = Schemas['QueryResult'];
export type DownloadLink = Schemas['DownloadLink'];
export type Webhook = Schemas['Webhook'];
export type AccountWebhook = Schemas['AccountWebhook'];
export type Delivery = Schemas['Delivery'];
export type Recovery = Schemas['Recovery'];
export type ApiKey = Schemas['ApiKey'];
export type StartedKeyRequest = Schemas['StartedKeyRequest'];
export type CollectedKey = Schemas['CollectedKey'];
export type KeyRequest = Schemas['KeyRequest'];
export type ConnectedClient = Schemas['ConnectedClient'];
export type Usage = Schemas['Usage'];
export type AuditEntry = Schemas['AuditEntry'];
export type RecordActivity = Schemas['RecordActivity'];
export type ActivityOfRecord = Schemas['GetRecordActivityResult'];
export type Session = Schemas['Session'];
export type FieldFault = Schemas['FieldError'];
export type ApiErrorCode = Schemas['Problem']['code'];

/** These answers show a secret once: it is there, or the call throws a SecretNotShownError. */
export type CreatedApiKey = Schemas['CreatedApiKey'] & { key: string };
export type CreatedWebhook = Schemas['CreatedWebhook'] & { secret: string };
export type CreatedAccountWebhook = Schemas['CreatedAccountWebhook'] & { secret: string };
export type CreatedSession = Schemas['CreatedSession'];

export type DeltaPayload = Omit<Schemas['DeltaPayload'], 'rows'> & { rows?: DeltaRow[] };
/** The body of a webhook. `event` tells them apart. */
export type WebhookEvent =
  | DeltaPayload
  | Schemas['CheckFailedPayload']
  | Schemas['CheckRecoveredPayload']
  | Schemas['SchemaChangedPayload']
  | Schemas['WebhookDisabledPayload'];

/** The query parameters of an operation. */
export type QueryOf<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>;
/** Those of a list. Iterating reads all pages, so there is no cursor. */
export type ListQuery<Name extends keyof operations> = Omit<QueryOf<Name>, 'cursor'>;
/** The body of a request. */
export type BodyOf<Name extends keyof operations> =
  NonNullable<operations[Name]['requestBody']> extends { content: { 'application/json': infer Body } }
    ? Body
    : never;
