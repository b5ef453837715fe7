"""The resources and requests of the API.

Made from the OpenAPI document: npx vitest run test/clients/python/generated.test.ts --update
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

# Cells by column, as the origin wrote them.
RowData = dict[str, Any]


class AcceptedCheck(TypedDict):
    id: str
    sourceId: str
    number: int | None
    trigger: Literal["schedule", "manual", "created", "settings", "accepted"]
    startedAt: str | None
    finishedAt: str | None
    outcome: Literal["changed", "unchanged", "held", "failed"] | None
    isBaseline: bool
    httpStatus: int | None
    bytes: int | None
    rows: int | None
    snapshotId: str | None
    deltaEventId: str | None
    error: CheckError | None
    warnings: list[Warning]
    decision: Literal["accepted", "rejected"] | None
    decidedAt: str | None
    originAnswer: OriginAnswer | None
    heldChanges: HeldChanges | None
    isRecorded: bool


class AccountWebhook(TypedDict):
    id: str
    sources: WebhookSources | None
    url: str
    enabled: bool
    disabledReason: str | None
    disabledAt: str | None
    description: str | None
    eventTypes: list[Literal["delta", "check.failed", "check.recovered", "check.held", "schema.changed", "record.quiet", "webhook.disabled"]]
    filters: WebhookFilters | None
    condition: Condition | None
    format: Literal["json", "cloudevents", "slack", "teams", "discord", "ntfy", "mail"]
    include: Literal["keys", "rows"]
    maxBodyBytes: int
    fields: list[str] | None
    ordered: bool
    onFailure: Literal["block", "skip"]
    quietHours: int
    failingAfter: int
    digest: Digest | None
    previousSecretUntil: str | None
    failingSince: str | None
    createdAt: str
    activity: NotRequired[WebhookActivity]


class ActivityBucket(TypedDict):
    start: str
    newCount: int
    changedCount: int
    deletedCount: int
    checks: int
    failed: int
    held: int


class AnswerKeyRequestRequest(TypedDict):
    userCode: str
    answer: Literal["allow", "refuse"]
    scope: NotRequired[Literal["full", "read"]]


class ApiKey(TypedDict):
    id: str
    name: str
    scope: Literal["feed", "download", "read", "full"]
    kind: Literal["account", "record"]
    prefix: str
    last4: str
    createdAt: str
    lastUsedAt: str | None
    expiresAt: str | None
    revokedAt: str | None


class Attempt(TypedDict):
    number: int
    startedAt: str
    durationMs: int
    statusCode: int | None
    errorCode: Literal["url_not_allowed", "endpoint_unreachable", "endpoint_timeout", "http_error", "mail_refused", "mail_limit_reached", "webhook_disabled", "secret_unreadable"] | None
    response: NotRequired[str | None]


class AuditEntry(TypedDict):
    id: str
    createdAt: str
    action: Literal["account.create", "account.delete", "account.rotate_key", "api_key.create", "api_key.revoke", "check.accept", "check.reject", "client.connect", "client.disconnect", "delivery.redeliver", "key_request.answer", "record.check", "record.create", "record.delete", "record.keep", "record.pause", "record.resume", "record.set_tier", "record.update", "user.cancel_email_change", "user.change_email", "user.change_password", "user.create", "user.create_sign_in_link", "user.end_sessions", "user.request_email_change", "user.request_password_reset", "user.reset_password", "user.sign_in", "user.sign_out", "user.undo_email_change", "webhook.create", "webhook.delete", "webhook.recover", "webhook.rotate_secret", "webhook.test", "webhook.update"]
    actor: AuditEntryActor
    target: AuditEntryTarget
    door: Literal["api", "mcp", "dashboard", "sign-in", "oauth", "mail", "operator"]
    ip: str | None
    userAgent: str | None
    requestId: str | None
    changes: list[AuditEntryChanges]
    count: int
    lastAt: str


class AuditEntryActor(TypedDict):
    type: Literal["api_key", "client", "user", "session", "operator", "anonymous"]
    id: str | None
    name: str | None


class AuditEntryTarget(TypedDict):
    type: Literal["account", "api_key", "check", "client", "delivery", "key_request", "record", "user", "webhook"]
    id: str
    name: str | None


class AuditEntryChanges(TypedDict):
    field: str
    before: NotRequired[Any]
    after: NotRequired[Any]


class ChangedColumn(TypedDict):
    field: str
    rows: int


class Check(TypedDict):
    id: str
    sourceId: str
    number: int | None
    trigger: Literal["schedule", "manual", "created", "settings", "accepted"]
    startedAt: str | None
    finishedAt: str | None
    outcome: Literal["changed", "unchanged", "held", "failed"] | None
    isBaseline: bool
    httpStatus: int | None
    bytes: int | None
    rows: int | None
    snapshotId: str | None
    deltaEventId: str | None
    error: CheckError | None
    warnings: list[Warning]
    decision: Literal["accepted", "rejected"] | None
    decidedAt: str | None


class CheckDetail(TypedDict):
    id: str
    sourceId: str
    number: int | None
    trigger: Literal["schedule", "manual", "created", "settings", "accepted"]
    startedAt: str | None
    finishedAt: str | None
    outcome: Literal["changed", "unchanged", "held", "failed"] | None
    isBaseline: bool
    httpStatus: int | None
    bytes: int | None
    rows: int | None
    snapshotId: str | None
    deltaEventId: str | None
    error: CheckError | None
    warnings: list[Warning]
    decision: Literal["accepted", "rejected"] | None
    decidedAt: str | None
    originAnswer: OriginAnswer | None
    heldChanges: HeldChanges | None


class CheckError(TypedDict):
    code: Literal["url_not_allowed", "credentials_unreadable", "origin_unreachable", "origin_timeout", "http_error", "too_many_redirects", "redirect_not_allowed", "body_too_large", "body_truncated", "empty_body", "unsupported_encoding", "encoding_invalid", "unexpected_content", "header_unclear", "malformed_body", "invalid_character", "missing_key_field", "too_many_rows", "too_many_columns", "row_too_large", "body_not_kept", "internal", "key_repeated", "sharp_drop"]
    detail: str


class CheckFailedPayload(TypedDict):
    event: Literal["check.failed"]
    type: Literal["check.failed"]
    timestamp: str
    webhookId: str
    sourceId: str
    sourceName: str
    sourceSlug: str
    isTest: NotRequired[bool]
    deltaEventId: str | None
    checkId: str
    failingSince: str
    error: FailedCheckError


class CheckHeldPayload(TypedDict):
    event: Literal["check.held"]
    type: Literal["check.held"]
    timestamp: str
    webhookId: str
    sourceId: str
    sourceName: str
    sourceSlug: str
    isTest: NotRequired[bool]
    deltaEventId: str | None
    checkId: str
    error: HeldCheckError


class CheckRecoveredPayload(TypedDict):
    event: Literal["check.recovered"]
    type: Literal["check.recovered"]
    timestamp: str
    webhookId: str
    sourceId: str
    sourceName: str
    sourceSlug: str
    isTest: NotRequired[bool]
    deltaEventId: str | None
    checkId: str
    failingSince: str


class CloudEvent(TypedDict):
    specversion: str
    id: str
    source: str
    type: str
    subject: NotRequired[str]
    time: str
    datacontenttype: str
    data: CloudEventData


CloudEventData = dict[str, Any]


class CollectKeyRequest(TypedDict):
    deviceSecret: str


class CollectedKey(TypedDict):
    status: Literal["pending", "issued", "refused", "expired"]
    intervalSeconds: int
    key: str | None


class ColumnProfile(TypedDict):
    column: str
    type: Literal["empty", "integer", "number", "boolean", "date", "text", "mixed"]
    filled: int
    distinct: int
    minimum: str | None
    maximum: str | None
    samples: list[str]


ColumnRule = TypedDict(
    "ColumnRule",
    {
        'as': 'NotRequired[Literal["number", "date"]]',
        'tolerance': 'NotRequired[str]',
        'trim': 'NotRequired[bool]',
        'ignoreCase': 'NotRequired[bool]',
        'normalize': 'NotRequired[Literal["NFC", "NFKC"]]',
    },
)


class CompareSnapshotRowsResult(TypedDict):
    sourceId: str
    count: int
    hasMore: bool
    nextCursor: str | None
    rows: list[DeltaRow]


class ComparedColumns(TypedDict):
    added: list[str]
    removed: list[str]


class Comparison(TypedDict):
    sourceId: str
    fromSnapshotId: str
    toSnapshotId: str
    isNoChange: bool
    newCount: int
    changedCount: int
    deletedCount: int
    unchangedCount: int
    totalCount: int
    summary: Counts
    newKeys: list[str]
    changedKeys: list[str]
    deletedKeys: list[str]
    previousKeys: NotRequired[dict[str, Any]]
    schemaChange: ComparedColumns | None


Condition = dict[str, Any]


class ConditionPreview(TypedDict):
    since: str
    events: int
    met: int
    undecided: int
    isWhole: bool


class ConnectedClient(TypedDict):
    id: str
    name: str
    clientId: str
    scope: Literal["download", "read", "full"]
    createdAt: str
    lastUsedAt: str | None


class Counts(TypedDict):
    newCount: int
    changedCount: int
    deletedCount: int
    unchangedCount: int
    totalCount: int


class CreateAccountWebhookRequest(TypedDict):
    url: str
    secret: NotRequired[str | None]
    eventTypes: NotRequired[list[Literal["delta", "check.failed", "check.recovered", "check.held", "schema.changed", "record.quiet", "webhook.disabled"]]]
    description: NotRequired[str | None]
    filters: NotRequired[WebhookFilters | None]
    condition: NotRequired[Condition | None]
    format: NotRequired[Literal["json", "cloudevents", "slack", "teams", "discord", "ntfy", "mail"]]
    include: NotRequired[Literal["keys", "rows"]]
    maxBodyBytes: NotRequired[int]
    fields: NotRequired[list[str] | None]
    ordered: NotRequired[bool]
    onFailure: NotRequired[Literal["block", "skip"]]
    quietHours: NotRequired[int]
    failingAfter: NotRequired[int]
    digest: NotRequired[Digest | None]
    enabled: NotRequired[bool]
    sources: NotRequired[WebhookSources | None]


class CreateApiKeyRequest(TypedDict):
    name: str
    expiresAt: NotRequired[str]
    scope: Literal["feed", "download", "read", "full"]


class CreateDownloadLinkRequest(TypedDict):
    format: NotRequired[Literal["csv", "jsonl"]]
    escape: NotRequired[Literal["none", "spreadsheet"]]
    search: NotRequired[str]
    field: NotRequired[list[str]]
    filter: NotRequired[dict[str, CreateDownloadLinkRequestFilter]]


CreateDownloadLinkRequestFilter = TypedDict(
    "CreateDownloadLinkRequestFilter",
    {
        'eq': 'NotRequired[str]',
        'ne': 'NotRequired[str]',
        'gt': 'NotRequired[str]',
        'gte': 'NotRequired[str]',
        'lt': 'NotRequired[str]',
        'lte': 'NotRequired[str]',
        'contains': 'NotRequired[str]',
        'startsWith': 'NotRequired[str]',
        'in': 'NotRequired[list[str]]',
        'exists': 'NotRequired[bool]',
        'empty': 'NotRequired[bool]',
    },
)


class CreateRecordApiKeyRequest(TypedDict):
    name: str
    expiresAt: NotRequired[str]
    scope: Literal["read", "download", "feed"]


class CreateRecordRequest(TypedDict):
    url: str
    name: NotRequired[str]
    slug: NotRequired[str]
    format: NotRequired[Literal["csv", "tsv", "jsonl", "json"] | None]
    delimiter: NotRequired[str | None]
    rowsPath: NotRequired[str | None]
    headerRow: NotRequired[int | None]
    quoting: NotRequired[Literal["double", "none"]]
    keyFields: NotRequired[list[str] | None]
    ignoreFields: NotRequired[list[str]]
    rules: NotRequired[dict[str, ColumnRule]]
    pairing: NotRequired[Literal["similarity"] | None]
    checkIntervalMinutes: NotRequired[float]
    labels: NotRequired[dict[str, str] | None]
    quietHours: NotRequired[int | None]
    authType: NotRequired[Literal["none", "basic", "bearer", "api_key_header", "api_key_query"]]
    authUsername: NotRequired[str]
    authPassword: NotRequired[str]
    authToken: NotRequired[str]
    authHeaderName: NotRequired[str]
    authHeaderValue: NotRequired[str]
    authQueryParam: NotRequired[str]
    authQueryValue: NotRequired[str]


class CreateSessionRequest(TypedDict):
    url: str
    name: NotRequired[str]
    slug: NotRequired[str]
    format: NotRequired[Literal["csv", "tsv", "jsonl", "json"] | None]
    delimiter: NotRequired[str | None]
    rowsPath: NotRequired[str | None]
    headerRow: NotRequired[int | None]
    quoting: NotRequired[Literal["double", "none"]]
    keyFields: NotRequired[list[str] | None]
    ignoreFields: NotRequired[list[str]]
    rules: NotRequired[dict[str, ColumnRule]]
    pairing: NotRequired[Literal["similarity"] | None]
    checkIntervalMinutes: NotRequired[float]
    labels: NotRequired[dict[str, str] | None]
    quietHours: NotRequired[int | None]
    authType: NotRequired[Literal["none", "basic", "bearer", "api_key_header", "api_key_query"]]
    authUsername: NotRequired[str]
    authPassword: NotRequired[str]
    authToken: NotRequired[str]
    authHeaderName: NotRequired[str]
    authHeaderValue: NotRequired[str]
    authQueryParam: NotRequired[str]
    authQueryValue: NotRequired[str]


class CreateWebhookRequest(TypedDict):
    url: str
    secret: NotRequired[str | None]
    eventTypes: NotRequired[list[Literal["delta", "check.failed", "check.recovered", "check.held", "schema.changed", "record.quiet", "webhook.disabled"]]]
    description: NotRequired[str | None]
    filters: NotRequired[WebhookFilters | None]
    condition: NotRequired[Condition | None]
    format: NotRequired[Literal["json", "cloudevents", "slack", "teams", "discord", "ntfy", "mail"]]
    include: NotRequired[Literal["keys", "rows"]]
    maxBodyBytes: NotRequired[int]
    fields: NotRequired[list[str] | None]
    ordered: NotRequired[bool]
    onFailure: NotRequired[Literal["block", "skip"]]
    quietHours: NotRequired[int]
    failingAfter: NotRequired[int]
    digest: NotRequired[Digest | None]
    enabled: NotRequired[bool]


class CreatedAccountWebhook(TypedDict):
    id: str
    sources: WebhookSources | None
    url: str
    enabled: bool
    disabledReason: str | None
    disabledAt: str | None
    description: str | None
    eventTypes: list[Literal["delta", "check.failed", "check.recovered", "check.held", "schema.changed", "record.quiet", "webhook.disabled"]]
    filters: WebhookFilters | None
    condition: Condition | None
    format: Literal["json", "cloudevents", "slack", "teams", "discord", "ntfy", "mail"]
    include: Literal["keys", "rows"]
    maxBodyBytes: int
    fields: list[str] | None
    ordered: bool
    onFailure: Literal["block", "skip"]
    quietHours: int
    failingAfter: int
    digest: Digest | None
    previousSecretUntil: str | None
    failingSince: str | None
    createdAt: str
    secret: NotRequired[str]


class CreatedApiKey(TypedDict):
    id: str
    name: str
    scope: Literal["feed", "download", "read", "full"]
    kind: Literal["account", "record"]
    prefix: str
    last4: str
    createdAt: str
    lastUsedAt: str | None
    expiresAt: str | None
    revokedAt: str | None
    key: str


class CreatedSession(TypedDict):
    token: str
    expiresAt: str
    source: Record
    mcpUrl: str


class CreatedWebhook(TypedDict):
    id: str
    sourceId: str
    url: str
    enabled: bool
    disabledReason: str | None
    disabledAt: str | None
    description: str | None
    eventTypes: list[Literal["delta", "check.failed", "check.recovered", "check.held", "schema.changed", "record.quiet", "webhook.disabled"]]
    filters: WebhookFilters | None
    condition: Condition | None
    format: Literal["json", "cloudevents", "slack", "teams", "discord", "ntfy", "mail"]
    include: Literal["keys", "rows"]
    maxBodyBytes: int
    fields: list[str] | None
    ordered: bool
    onFailure: Literal["block", "skip"]
    quietHours: int
    failingAfter: int
    digest: Digest | None
    previousSecretUntil: str | None
    failingSince: str | None
    createdAt: str
    secret: str


class Delivery(TypedDict):
    id: str
    webhookId: str
    sourceId: str
    eventType: Literal["delta", "check.failed", "check.recovered", "check.held", "schema.changed", "record.quiet", "webhook.disabled", "digest"]
    deltaEventId: str | None
    condition: Literal["met", "undecided"] | None
    isTest: bool
    status: Literal["pending", "delivered", "failed", "cancelled"]
    attemptCount: int
    createdAt: str
    nextAttemptAt: str | None
    waitsFor: str | None
    finishedAt: str | None
    payload: NotRequired[str]
    attempts: list[Attempt]


class DeltaEvent(TypedDict):
    id: str
    sourceId: str
    number: int
    snapshotId: str
    previousSnapshotId: str | None
    detectedAt: str
    isNoChange: bool
    newCount: int
    changedCount: int
    deletedCount: int
    unchangedCount: int
    totalCount: int
    summary: Counts
    newKeys: list[str]
    changedKeys: list[str]
    deletedKeys: list[str]
    previousKeys: NotRequired[dict[str, Any]]
    changedColumns: list[ChangedColumn] | None
    schemaChange: SchemaChange | None
    rekeyed: bool
    firstRows: NotRequired[list[FirstRow]]


class DeltaPayload(TypedDict):
    event: Literal["delta"]
    type: Literal["delta"]
    timestamp: str
    webhookId: str
    sourceId: str
    sourceName: str
    sourceSlug: str
    isTest: NotRequired[bool]
    deltaEventId: str
    snapshotId: str
    detectedAt: str
    condition: NotRequired[Literal["met", "undecided"]]
    summary: Counts
    newKeys: list[str]
    changedKeys: list[str]
    deletedKeys: list[str]
    previousKeys: NotRequired[dict[str, Any]]
    changedColumns: NotRequired[list[ChangedColumn] | None]
    truncated: TruncatedKeys
    rowsUrl: str
    rows: NotRequired[list[DeltaRow]]


class DeltaRow(TypedDict):
    key: str
    changeType: Literal["new", "changed", "deleted"]
    before: RowData | None
    after: RowData | None
    changedFields: list[str]
    pairedBy: NotRequired[Literal["similarity"]]
    previousKey: NotRequired[str]


class Digest(TypedDict):
    every: Literal["hour", "day"]
    at: NotRequired[str]
    timeZone: NotRequired[str]


class DownloadLink(TypedDict):
    url: str
    expiresAt: str


class EventsPreview(TypedDict):
    sourceId: str
    ignoreFields: list[str]
    rules: dict[str, ColumnRule]
    pairing: Literal["similarity"] | None
    events: list[ReplayedEvent]
    isWhole: bool


class FailedCheckError(TypedDict):
    code: Literal["url_not_allowed", "credentials_unreadable", "origin_unreachable", "origin_timeout", "http_error", "too_many_redirects", "redirect_not_allowed", "body_too_large", "body_truncated", "empty_body", "unsupported_encoding", "encoding_invalid", "unexpected_content", "header_unclear", "malformed_body", "invalid_character", "missing_key_field", "too_many_rows", "too_many_columns", "row_too_large", "body_not_kept", "internal", "key_repeated", "sharp_drop"]
    detail: str


class FeedEvent(TypedDict):
    cursor: str
    event: Literal["delta", "check.failed", "check.recovered", "check.held", "record.quiet"]
    type: Literal["delta", "check.failed", "check.recovered", "check.held", "record.quiet"]
    timestamp: str
    sourceId: str
    sourceName: str
    sourceSlug: str
    labels: dict[str, str]
    deltaEventId: str | None
    snapshotId: NotRequired[str]
    detectedAt: NotRequired[str]
    summary: NotRequired[Counts]
    newKeys: NotRequired[list[str]]
    changedKeys: NotRequired[list[str]]
    deletedKeys: NotRequired[list[str]]
    previousKeys: NotRequired[dict[str, Any]]
    changedColumns: NotRequired[list[ChangedColumn] | None]
    truncated: NotRequired[TruncatedFeedKeys]
    condition: NotRequired[Literal["met", "undecided"]]
    rowsUrl: NotRequired[str]
    checkId: NotRequired[str]
    failingSince: NotRequired[str]
    error: NotRequired[FeedEventError]
    unchangedSince: NotRequired[str]
    checkedAt: NotRequired[str]
    quietHours: NotRequired[int]


class FeedEventError(TypedDict):
    code: Literal["url_not_allowed", "credentials_unreadable", "origin_unreachable", "origin_timeout", "http_error", "too_many_redirects", "redirect_not_allowed", "body_too_large", "body_truncated", "empty_body", "unsupported_encoding", "encoding_invalid", "unexpected_content", "header_unclear", "malformed_body", "invalid_character", "missing_key_field", "too_many_rows", "too_many_columns", "row_too_large", "body_not_kept", "internal", "key_repeated", "sharp_drop"]
    detail: str


class FieldError(TypedDict):
    pointer: str
    code: str
    detail: str


class FirstRow(TypedDict):
    key: str
    changeType: Literal["new", "changed", "deleted"]
    pairedBy: NotRequired[Literal["similarity"]]
    values: list[FirstValue]
    moreFields: int | None


class FirstValue(TypedDict):
    field: str
    before: NotRequired[Any]
    after: NotRequired[Any]
    isCut: bool


class GetRecordActivityResult(TypedDict):
    sourceId: str
    step: Literal["hour", "day"]
    since: str
    until: str
    buckets: list[ActivityBucket]


class GetRowHistoryResult(TypedDict):
    sourceId: str
    count: int
    hasMore: bool
    nextCursor: str | None
    key: str
    rows: list[RowHistoryEntry]


class HeldChanges(TypedDict):
    newCount: int
    changedCount: int
    deletedCount: int
    totalCount: int
    newKeys: list[str]
    changedKeys: list[str]
    deletedKeys: list[str]


class HeldCheckError(TypedDict):
    code: Literal["url_not_allowed", "credentials_unreadable", "origin_unreachable", "origin_timeout", "http_error", "too_many_redirects", "redirect_not_allowed", "body_too_large", "body_truncated", "empty_body", "unsupported_encoding", "encoding_invalid", "unexpected_content", "header_unclear", "malformed_body", "invalid_character", "missing_key_field", "too_many_rows", "too_many_columns", "row_too_large", "body_not_kept", "internal", "key_repeated", "sharp_drop"]
    detail: str


class KeepRecordRequest(TypedDict):
    token: str
    name: NotRequired[str]
    slug: NotRequired[str]


class KeyRequest(TypedDict):
    userCode: str
    machine: str
    address: str
    createdAt: str
    expiresAt: str


class LastDelivery(TypedDict):
    id: str
    status: Literal["pending", "delivered", "failed", "cancelled"]
    createdAt: str
    finishedAt: str | None


class ListAccountDeliveriesResult(TypedDict):
    count: int
    hasMore: bool
    nextCursor: str | None
    deliveries: list[Delivery]


class ListAccountWebhooksResult(TypedDict):
    count: int
    hasMore: bool
    nextCursor: str | None
    webhooks: list[AccountWebhook]


class ListActivityResult(TypedDict):
    count: int
    hasMore: bool
    nextCursor: str | None
    since: str
    activity: list[RecordActivity]


class ListApiKeysResult(TypedDict):
    count: int
    hasMore: bool
    nextCursor: str | None
    apiKeys: list[ApiKey]


class ListAuditLogResult(TypedDict):
    count: int
    hasMore: bool
    nextCursor: str | None
    entries: list[AuditEntry]


class ListChecksResult(TypedDict):
    sourceId: str
    count: int
    hasMore: bool
    nextCursor: str | None
    checks: list[Check]


class ListConnectedClientsResult(TypedDict):
    count: int
    hasMore: bool
    nextCursor: str | None
    connectedClients: list[ConnectedClient]


class ListDeliveriesResult(TypedDict):
    sourceId: str
    count: int
    hasMore: bool
    nextCursor: str | None
    deliveries: list[Delivery]


class ListDeltaEventsResult(TypedDict):
    sourceId: str
    count: int
    hasMore: bool
    nextCursor: str | None
    events: list[DeltaEvent]


class ListDeltaRowsResult(TypedDict):
    sourceId: str
    count: int
    hasMore: bool
    nextCursor: str | None
    rows: list[DeltaRow]


class ListEventsResult(TypedDict):
    count: int
    hasMore: bool
    nextCursor: str
    events: list[FeedEvent]


class ListRecordApiKeysResult(TypedDict):
    sourceId: str
    count: int
    hasMore: bool
    nextCursor: str | None
    apiKeys: list[ApiKey]


class ListRecordsResult(TypedDict):
    count: int
    hasMore: bool
    nextCursor: str | None
    sources: list[Record]
    counts: NotRequired[RecordCounts]


class ListRowsOfSnapshotResult(TypedDict):
    sourceId: str
    count: int
    hasMore: bool
    nextCursor: str | None
    rows: list[SnapshotRow]


class ListSnapshotRowsResult(TypedDict):
    sourceId: str
    count: int
    hasMore: bool
    nextCursor: str | None
    rows: list[SnapshotRow]


class ListSnapshotsResult(TypedDict):
    sourceId: str
    count: int
    hasMore: bool
    nextCursor: str | None
    snapshots: list[Snapshot]


class ListWebhooksResult(TypedDict):
    sourceId: str
    count: int
    hasMore: bool
    nextCursor: str | None
    webhooks: list[Webhook]


class Notice(TypedDict):
    code: Literal["webhook_disabled"]
    detail: str
    webhookId: str
    at: str | None


class OriginAnswer(TypedDict):
    httpStatus: int | None
    contentType: str | None
    url: str | None
    beginning: str | None


class PreviewAccountConditionRequest(TypedDict):
    condition: NotRequired[Condition | None]
    filters: NotRequired[WebhookFilters | None]
    sources: NotRequired[WebhookSources | None]


class PreviewConditionRequest(TypedDict):
    condition: NotRequired[Condition | None]
    filters: NotRequired[WebhookFilters | None]


class PreviewEventsRequest(TypedDict):
    ignoreFields: NotRequired[list[str]]
    rules: NotRequired[dict[str, ColumnRule]]
    pairing: NotRequired[Literal["similarity"] | None]


class PreviewRecordRequest(TypedDict):
    url: str
    format: NotRequired[Literal["csv", "tsv", "jsonl", "json"] | None]
    delimiter: NotRequired[str | None]
    rowsPath: NotRequired[str | None]
    headerRow: NotRequired[int | None]
    quoting: NotRequired[Literal["double", "none"]]
    keyFields: NotRequired[list[str] | None]
    ignoreFields: NotRequired[list[str]]
    rules: NotRequired[dict[str, ColumnRule]]
    pairing: NotRequired[Literal["similarity"] | None]
    authType: NotRequired[Literal["none", "basic", "bearer", "api_key_header", "api_key_query"]]
    authUsername: NotRequired[str]
    authPassword: NotRequired[str]
    authToken: NotRequired[str]
    authHeaderName: NotRequired[str]
    authHeaderValue: NotRequired[str]
    authQueryParam: NotRequired[str]
    authQueryValue: NotRequired[str]


class PreviewRuleRequest(TypedDict):
    keyFields: NotRequired[list[str] | None]
    ignoreFields: NotRequired[list[str]]
    rules: NotRequired[dict[str, ColumnRule]]
    headerRow: NotRequired[int | None]
    quoting: NotRequired[Literal["double", "none"]]


class PreviewedRow(TypedDict):
    key: str
    data: RowData


class Problem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    code: Literal["bad_request", "malformed_json", "invalid_parameter", "invalid_cursor", "unauthenticated", "plan_required", "insufficient_scope", "recent_sign_in_required", "not_found", "method_not_allowed", "request_timeout", "conflict", "idempotency_in_progress", "gone", "body_too_large", "unsupported_media_type", "host_not_allowed", "validation_failed", "url_not_allowed", "different_keys", "idempotency_key_reused", "query_too_expensive", "rate_limited", "headers_too_large", "internal", "unavailable"]
    requestId: str
    upgradeUrl: NotRequired[str]
    errors: NotRequired[list[FieldError]]


class Profile(TypedDict):
    sourceId: str
    snapshotId: str
    totalRows: int
    isSampled: bool
    sampledRows: int
    columns: list[ColumnProfile]


class QueryResult(TypedDict):
    sourceId: str
    snapshotId: str
    count: int
    hasMore: bool
    groups: list[RowGroup]


class QuerySnapshotRequest(TypedDict):
    filter: NotRequired[dict[str, CreateDownloadLinkRequestFilter]]
    search: NotRequired[str]
    groupBy: NotRequired[list[str]]
    measures: NotRequired[list[QuerySnapshotRequestMeasures]]
    orderBy: NotRequired[list[QuerySnapshotRequestOrderBy]]
    limit: NotRequired[int]


QuerySnapshotRequestMeasures = TypedDict(
    "QuerySnapshotRequestMeasures",
    {
        'measure': 'Literal["count", "distinct", "min", "max", "avg", "sum"]',
        'column': 'NotRequired[str]',
        'as': 'NotRequired[str]',
    },
)


class QuerySnapshotRequestOrderBy(TypedDict):
    by: str
    direction: NotRequired[Literal["asc", "desc"]]


class Record(TypedDict):
    id: str
    slug: str
    name: str
    url: str
    tier: Literal["anonymous", "free", "watch", "max"]
    status: Literal["active", "paused"]
    format: Literal["csv", "tsv", "jsonl", "json"] | None
    delimiter: str | None
    rowsPath: str | None
    headerRow: int | None
    quoting: Literal["double", "none"]
    keyFields: list[str] | None
    keySource: Literal["given", "detected"] | None
    keyEvidence: Any
    ignoreFields: list[str]
    rules: dict[str, ColumnRule]
    pairing: Literal["similarity"] | None
    quietHours: int | None
    isRekeyPending: bool
    checkIntervalMinutes: float
    labels: dict[str, str]
    auth: RecordAuth
    lastCheckedAt: str | None
    nextCheckAt: str | None
    lastOutcome: Literal["changed", "unchanged", "held", "failed"] | None
    isBaseline: bool
    lastError: CheckError | None
    heldCheckId: str | None
    consecutiveFailures: int
    failingSince: str | None
    latestSnapshotId: str | None
    totalRows: int | None
    createdAt: str
    lastChangeAt: NotRequired[str | None]
    originAnswer: NotRequired[OriginAnswer | None]
    notices: NotRequired[list[Notice]]


class RecordAuth(TypedDict):
    type: Literal["none", "basic", "bearer", "api_key_header", "api_key_query"]
    configured: bool


class RecordActivity(TypedDict):
    sourceId: str
    changes: list[int]


class RecordCounts(TypedDict):
    all: int
    failing: int
    held: int
    healthy: int
    paused: int


class RecordPreview(TypedDict):
    url: str
    format: Literal["csv", "tsv", "jsonl", "json"] | None
    delimiter: str | None
    rowsPath: str | None
    headerRow: int | None
    quoting: Literal["double", "none"]
    keyFields: list[str] | None
    keySource: Literal["given", "detected"]
    keyEvidence: Any
    ignoreFields: list[str]
    rules: dict[str, ColumnRule]
    pairing: Literal["similarity"] | None
    columns: list[str] | None
    rowCount: int | None
    totalRows: int | None
    sizeBytes: int | None
    rows: NotRequired[list[PreviewedRow]]
    warnings: list[Warning]
    error: CheckError | None


class RecordQuietPayload(TypedDict):
    event: Literal["record.quiet"]
    type: Literal["record.quiet"]
    timestamp: str
    webhookId: str
    sourceId: str
    sourceName: str
    sourceSlug: str
    isTest: NotRequired[bool]
    deltaEventId: str | None
    snapshotId: str
    unchangedSince: str
    checkedAt: str
    quietHours: int


class RecoverAccountWebhookRequest(TypedDict):
    since: str
    dryRun: NotRequired[bool]


class RecoverWebhookRequest(TypedDict):
    since: str
    dryRun: NotRequired[bool]


class Recovery(TypedDict):
    webhookId: str
    dryRun: bool
    count: int
    hasMore: bool


RenamedColumn = TypedDict(
    "RenamedColumn",
    {
        'from': 'str',
        'to': 'str',
    },
)


class ReplayedEvent(TypedDict):
    deltaEventId: str
    detectedAt: str
    summary: ReportedRows
    rowsRead: int
    underRules: RowsUnderRules
    isReported: bool | None


class ReportedRows(TypedDict):
    newCount: int
    changedCount: int
    deletedCount: int


class RotateAccountWebhookSecretRequest(TypedDict):
    secret: NotRequired[str | None]


class RotateWebhookSecretRequest(TypedDict):
    secret: NotRequired[str | None]


class RowGroup(TypedDict):
    group: dict[str, str | None]
    values: dict[str, int | str | None]


class RowHistoryEntry(TypedDict):
    snapshotId: str
    deltaEventId: str
    detectedAt: str
    key: str
    changeType: Literal["new", "changed", "deleted"]
    before: RowData | None
    after: RowData | None
    changedFields: list[str]
    pairedBy: NotRequired[Literal["similarity"]]
    previousKey: NotRequired[str]


class RowSample(TypedDict):
    sourceId: str
    snapshotId: str
    totalRows: int
    count: int
    rows: list[SnapshotRow]


class RowsUnderRules(TypedDict):
    newCount: int
    changedCount: int
    deletedCount: int


class RulePreview(TypedDict):
    sourceId: str
    keyFields: list[str] | None
    keySource: Literal["given", "detected"]
    keyEvidence: Any
    ignoreFields: list[str]
    rules: dict[str, ColumnRule]
    headerRow: int | None
    quoting: Literal["double", "none"]
    columns: list[str] | None
    rowCount: int | None
    totalRows: int | None
    warnings: list[Warning]
    error: CheckError | None


class SchemaChange(TypedDict):
    added: list[str]
    removed: list[str]
    renamed: list[RenamedColumn]
    schemaOnlyCount: NotRequired[int]


class SchemaChangedPayload(TypedDict):
    event: Literal["schema.changed"]
    type: Literal["schema.changed"]
    timestamp: str
    webhookId: str
    sourceId: str
    sourceName: str
    sourceSlug: str
    isTest: NotRequired[bool]
    deltaEventId: str | None
    checkId: str
    snapshotId: str
    schemaChange: SchemaChange


class Session(TypedDict):
    expiresAt: str
    secondsLeft: int
    source: Record
    mcpCalls: SessionMcpCalls


class SessionMcpCalls(TypedDict):
    limit: int
    used: int
    left: int


class Snapshot(TypedDict):
    id: str
    sequence: int
    createdAt: str
    totalRows: int
    columns: list[str]
    bytes: int
    contentHash: str


class SnapshotRow(TypedDict):
    key: str
    data: RowData


class StartKeyRequestRequest(TypedDict):
    machine: str


class StartedKeyRequest(TypedDict):
    deviceSecret: str
    userCode: str
    verificationUrl: str
    expiresAt: str
    expiresInSeconds: int
    intervalSeconds: int


class TestAccountWebhookRequest(TypedDict):
    eventType: NotRequired[Literal["delta", "check.failed", "check.recovered", "check.held", "schema.changed", "record.quiet", "webhook.disabled"]]


class TestWebhookRequest(TypedDict):
    eventType: NotRequired[Literal["delta", "check.failed", "check.recovered", "check.held", "schema.changed", "record.quiet", "webhook.disabled"]]


class TruncatedFeedKeys(TypedDict):
    newKeys: bool
    changedKeys: bool
    deletedKeys: bool


class TruncatedKeys(TypedDict):
    newKeys: bool
    changedKeys: bool
    deletedKeys: bool
    rows: NotRequired[bool]
    changedColumns: NotRequired[bool]


class UpdateAccountWebhookRequest(TypedDict):
    url: NotRequired[str]
    eventTypes: NotRequired[list[Literal["delta", "check.failed", "check.recovered", "check.held", "schema.changed", "record.quiet", "webhook.disabled"]]]
    description: NotRequired[str | None]
    filters: NotRequired[WebhookFilters | None]
    condition: NotRequired[Condition | None]
    format: NotRequired[Literal["json", "cloudevents", "slack", "teams", "discord", "ntfy", "mail"]]
    include: NotRequired[Literal["keys", "rows"]]
    maxBodyBytes: NotRequired[int]
    fields: NotRequired[list[str] | None]
    ordered: NotRequired[bool]
    onFailure: NotRequired[Literal["block", "skip"]]
    quietHours: NotRequired[int]
    failingAfter: NotRequired[int]
    digest: NotRequired[Digest | None]
    enabled: NotRequired[bool]
    sources: NotRequired[WebhookSources | None]


class UpdateRecordRequest(TypedDict):
    name: NotRequired[str]
    slug: NotRequired[str]
    url: NotRequired[str]
    checkIntervalMinutes: NotRequired[float]
    labels: NotRequired[dict[str, str] | None]
    quietHours: NotRequired[int | None]
    format: NotRequired[Literal["csv", "tsv", "jsonl", "json"] | None]
    delimiter: NotRequired[str | None]
    rowsPath: NotRequired[str | None]
    headerRow: NotRequired[int | None]
    quoting: NotRequired[Literal["double", "none"]]
    keyFields: NotRequired[list[str] | None]
    ignoreFields: NotRequired[list[str]]
    rules: NotRequired[dict[str, ColumnRule]]
    pairing: NotRequired[Literal["similarity"] | None]
    startOver: NotRequired[bool]
    authType: NotRequired[Literal["none", "basic", "bearer", "api_key_header", "api_key_query"]]
    authUsername: NotRequired[str]
    authPassword: NotRequired[str]
    authToken: NotRequired[str]
    authHeaderName: NotRequired[str]
    authHeaderValue: NotRequired[str]
    authQueryParam: NotRequired[str]
    authQueryValue: NotRequired[str]


class UpdateWebhookRequest(TypedDict):
    url: NotRequired[str]
    eventTypes: NotRequired[list[Literal["delta", "check.failed", "check.recovered", "check.held", "schema.changed", "record.quiet", "webhook.disabled"]]]
    description: NotRequired[str | None]
    filters: NotRequired[WebhookFilters | None]
    condition: NotRequired[Condition | None]
    format: NotRequired[Literal["json", "cloudevents", "slack", "teams", "discord", "ntfy", "mail"]]
    include: NotRequired[Literal["keys", "rows"]]
    maxBodyBytes: NotRequired[int]
    fields: NotRequired[list[str] | None]
    ordered: NotRequired[bool]
    onFailure: NotRequired[Literal["block", "skip"]]
    quietHours: NotRequired[int]
    failingAfter: NotRequired[int]
    digest: NotRequired[Digest | None]
    enabled: NotRequired[bool]


class Usage(TypedDict):
    tier: Literal["free", "watch", "max"]
    isUnlocked: bool
    records: int
    failingRecords: int
    apiKeys: int
    webhooks: int
    connectedClients: int
    mcpCalls: UsageMcpCalls
    requestsPerMinute: int
    limitsOfRecords: UsageLimitsOfRecords


class UsageMcpCalls(TypedDict):
    usedToday: int
    limitPerDay: int
    resetAt: str


class UsageLimitsOfRecords(TypedDict):
    minCheckIntervalMinutes: float
    maxRows: int
    maxBodyBytes: int
    retentionDays: int


class Warning(TypedDict):
    code: str
    count: int
    samples: list[str]


class Webhook(TypedDict):
    id: str
    sourceId: str
    url: str
    enabled: bool
    disabledReason: str | None
    disabledAt: str | None
    description: str | None
    eventTypes: list[Literal["delta", "check.failed", "check.recovered", "check.held", "schema.changed", "record.quiet", "webhook.disabled"]]
    filters: WebhookFilters | None
    condition: Condition | None
    format: Literal["json", "cloudevents", "slack", "teams", "discord", "ntfy", "mail"]
    include: Literal["keys", "rows"]
    maxBodyBytes: int
    fields: list[str] | None
    ordered: bool
    onFailure: Literal["block", "skip"]
    quietHours: int
    failingAfter: int
    digest: Digest | None
    previousSecretUntil: str | None
    failingSince: str | None
    createdAt: str
    activity: NotRequired[WebhookActivity]


class WebhookActivity(TypedDict):
    since: str
    delivered: int
    failed: int
    pending: int
    cancelled: int
    lastDelivery: LastDelivery | None


class WebhookDisabledPayload(TypedDict):
    event: Literal["webhook.disabled"]
    type: Literal["webhook.disabled"]
    timestamp: str
    webhookId: str
    sourceId: str
    sourceName: str
    sourceSlug: str
    isTest: NotRequired[bool]
    deltaEventId: str | None
    disabledWebhookId: str
    disabledAt: str
    disabledReason: str


class WebhookFilters(TypedDict):
    changeTypes: NotRequired[list[Literal["new", "changed", "deleted"]]]
    columns: NotRequired[list[str]]
    minChanges: NotRequired[int]


class WebhookSources(TypedDict):
    ids: NotRequired[list[str]]
    labels: NotRequired[dict[str, str]]


class ListRecordsQuery(TypedDict):
    limit: NotRequired[int]
    order: NotRequired[Literal["asc", "desc"]]
    sort: NotRequired[Literal["created", "name", "health", "lastChange"]]
    search: NotRequired[str]
    status: NotRequired[Literal["active", "paused"]]
    health: NotRequired[Literal["failing", "held", "healthy"]]
    counts: NotRequired[bool]
    label: NotRequired[list[str]]


class ListChecksQuery(TypedDict):
    limit: NotRequired[int]
    order: NotRequired[Literal["asc", "desc"]]


class ListEventsQuery(TypedDict):
    since: NotRequired[str]
    limit: NotRequired[int]
    sourceId: NotRequired[str]
    type: NotRequired[list[Literal["delta", "check.failed", "check.recovered", "check.held", "record.quiet"]]]
    label: NotRequired[list[str]]
    condition: NotRequired[str]


class ReadAtomFeedQuery(TypedDict):
    sourceId: NotRequired[str]
    type: NotRequired[list[Literal["delta", "check.failed", "check.recovered", "check.held", "record.quiet"]]]
    label: NotRequired[list[str]]
    condition: NotRequired[str]


class GetLatestDeltaEventQuery(TypedDict):
    keysLimit: NotRequired[int]


class ListDeltaEventsQuery(TypedDict):
    limit: NotRequired[int]
    order: NotRequired[Literal["asc", "desc"]]
    since: NotRequired[str]
    until: NotRequired[str]
    changesOnly: NotRequired[bool]
    keysLimit: NotRequired[int]
    firstRows: NotRequired[int]


class GetDeltaEventQuery(TypedDict):
    keysLimit: NotRequired[int]


class ListDeltaRowsQuery(TypedDict):
    limit: NotRequired[int]
    changeType: NotRequired[Literal["new", "changed", "deleted"]]
    search: NotRequired[str]
    field: NotRequired[list[str]]
    changedField: NotRequired[list[str]]
    delivery: NotRequired[str]


class DownloadDeltaQuery(TypedDict):
    format: NotRequired[Literal["csv", "jsonl"]]
    escape: NotRequired[Literal["none", "spreadsheet"]]


class GetRecordActivityQuery(TypedDict):
    since: NotRequired[str]
    until: NotRequired[str]
    step: NotRequired[Literal["hour", "day"]]


class ListActivityQuery(TypedDict):
    limit: NotRequired[int]
    days: NotRequired[int]
    sourceId: NotRequired[list[str]]


class ListSnapshotsQuery(TypedDict):
    limit: NotRequired[int]
    order: NotRequired[Literal["asc", "desc"]]


class DownloadSnapshotQuery(TypedDict):
    format: NotRequired[Literal["csv", "jsonl"]]
    escape: NotRequired[Literal["none", "spreadsheet"]]
    search: NotRequired[str]
    field: NotRequired[list[str]]
    filter: NotRequired[dict[str, CreateDownloadLinkRequestFilter]]


class FollowDownloadLinkQuery(TypedDict):
    token: NotRequired[str]


class ListRowsOfSnapshotQuery(TypedDict):
    limit: NotRequired[int]
    search: NotRequired[str]
    field: NotRequired[list[str]]
    filter: NotRequired[dict[str, CreateDownloadLinkRequestFilter]]


class ListSnapshotRowsQuery(TypedDict):
    limit: NotRequired[int]
    search: NotRequired[str]
    field: NotRequired[list[str]]
    filter: NotRequired[dict[str, CreateDownloadLinkRequestFilter]]


class SampleSnapshotRowsQuery(TypedDict):
    limit: NotRequired[int]
    stratifyBy: NotRequired[str]
    search: NotRequired[str]
    field: NotRequired[list[str]]
    filter: NotRequired[dict[str, CreateDownloadLinkRequestFilter]]


class GetSnapshotProfileQuery(TypedDict):
    field: NotRequired[list[str]]


class GetRowHistoryQuery(TypedDict):
    limit: NotRequired[int]
    order: NotRequired[Literal["asc", "desc"]]


CompareSnapshotsQuery = TypedDict(
    "CompareSnapshotsQuery",
    {
        'from': 'NotRequired[str]',
        'to': 'NotRequired[str]',
        'keysLimit': 'NotRequired[int]',
    },
)


CompareSnapshotRowsQuery = TypedDict(
    "CompareSnapshotRowsQuery",
    {
        'from': 'NotRequired[str]',
        'to': 'NotRequired[str]',
        'limit': 'NotRequired[int]',
        'changeType': 'NotRequired[Literal["new", "changed", "deleted"]]',
        'search': 'NotRequired[str]',
        'field': 'NotRequired[list[str]]',
        'changedField': 'NotRequired[list[str]]',
    },
)


class ListWebhooksQuery(TypedDict):
    limit: NotRequired[int]
    order: NotRequired[Literal["asc", "desc"]]
    activity: NotRequired[bool]


class GetWebhookQuery(TypedDict):
    activity: NotRequired[bool]


class ListDeliveriesQuery(TypedDict):
    limit: NotRequired[int]
    order: NotRequired[Literal["asc", "desc"]]
    status: NotRequired[Literal["pending", "delivered", "failed", "cancelled"]]
    since: NotRequired[str]


class ListAccountWebhooksQuery(TypedDict):
    limit: NotRequired[int]
    order: NotRequired[Literal["asc", "desc"]]
    activity: NotRequired[bool]


class GetAccountWebhookQuery(TypedDict):
    activity: NotRequired[bool]


class ListAccountDeliveriesQuery(TypedDict):
    limit: NotRequired[int]
    order: NotRequired[Literal["asc", "desc"]]
    status: NotRequired[Literal["pending", "delivered", "failed", "cancelled"]]
    since: NotRequired[str]


class ListApiKeysQuery(TypedDict):
    limit: NotRequired[int]
    order: NotRequired[Literal["asc", "desc"]]


class ListRecordApiKeysQuery(TypedDict):
    limit: NotRequired[int]
    order: NotRequired[Literal["asc", "desc"]]


class GetKeyRequestQuery(TypedDict):
    userCode: NotRequired[str]


class ListConnectedClientsQuery(TypedDict):
    limit: NotRequired[int]
    order: NotRequired[Literal["asc", "desc"]]


class ListAuditLogQuery(TypedDict):
    limit: NotRequired[int]
    order: NotRequired[Literal["asc", "desc"]]
