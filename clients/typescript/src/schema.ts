// Made from the OpenAPI document: npx vitest run test/clients/typescript/src/schema.test.ts --update
export interface paths {
    "/v1/sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the records that the credential can access
         * @description Sorted by health or by last change, records move while you page: one that moves may be missing or appear twice. All others appear once.
         *
         *     Needs the scope `read` or `full`.
         */
        get: operations["listRecords"];
        put?: never;
        /**
         * Start watching the data behind a URL
         * @description A setting that is `null` counts as not given.
         *
         *     Needs the scope `full`, of an account key.
         */
        post: operations["createRecord"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one record
         * @description Needs the scope `read` or `full`.
         */
        get: operations["getRecord"];
        put?: never;
        post?: never;
        /**
         * Delete a record with all of its history
         * @description Needs the scope `full`.
         */
        delete: operations["deleteRecord"];
        options?: never;
        head?: never;
        /**
         * Change a record’s settings
         * @description Changes of `keyFields`, `ignoreFields`, `rules`, `headerRow` or `quoting` are applied to the stored body, without a fetch: one event with `rekeyed`, and no row counts as new or deleted. If the body cannot be read with them, a failed check (trigger `settings`) says why, and the previous settings are restored. `null` detects `keyFields`, `headerRow`, `format`, `delimiter` or `rowsPath` from the data; changes of the latter three apply from the next check, which starts at once. `startOver` compares the next body with nothing before it. A changed URL or changed credentials are checked at once, and `Prefer: wait` waits for that check. Under a new URL of the same origin (scheme, host and port) a record keeps its credentials; for another origin they must be set again, or `authType` set to `none`. `labels` replaces all labels; `null` removes them.
         *
         *     Needs the scope `full`.
         */
        patch: operations["updateRecord"];
        trace?: never;
    };
    "/v1/sources/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop checking a record until it is resumed
         * @description Needs the scope `full`.
         */
        post: operations["pauseRecord"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a paused record, with a check at once
         * @description Needs the scope `full`.
         */
        post: operations["resumeRecord"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources/{id}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a record now
         * @description Needs the scope `full`.
         */
        post: operations["checkRecord"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources/{id}/checks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a record’s checks with their outcomes
         * @description Needs the scope `read` or `full`.
         */
        get: operations["listChecks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources/{id}/checks/{checkId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one check; for a held one also what it would change
         * @description Needs the scope `read` or `full`.
         */
        get: operations["getCheck"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources/{id}/checks/{checkId}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept a held check
         * @description Records the held body as it was received, without another fetch, as a check of its own (trigger `accepted`) with its delta event. If the check was held for `key_repeated`, the key is detected again from its body, which begins a generation: the event is `rekeyed`, and no row counts as changed. Only the record’s latest held check can be decided, and only once; otherwise 409.
         *
         *     Needs the scope `full`.
         */
        post: operations["acceptCheck"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources/{id}/checks/{checkId}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Discard a held check
         * @description The last snapshot stays. After `sharp_drop`, later such bodies with about as many rows (within 10 %) are held, and a second one does not confirm them: each needs to be accepted. After `key_repeated`, each check is held while the key repeats; other `keyFields` end that. A check that finds the data again ends both. Only the record’s latest held check can be decided, and only once; otherwise 409.
         *
         *     Needs the scope `full`.
         */
        post: operations["rejectCheck"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/previews": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a new record: fetch its URL once, without creating it
         * @description Sends one request to the origin and reads the body as the first check of a new record would. Nothing is kept. If the check would fail, `error` says why. Send the same settings to `POST /v1/sources` to create the record. An account gets 60 previews an hour.
         *
         *     Needs the scope `full`, of an account key.
         */
        post: operations["previewRecord"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources/{id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview other key or ignored fields, rules, another header line or quoting, on the latest body
         * @description Reads the stored body; sends nothing to the origin and changes nothing. Omitted fields are those of the record; `keyFields: null` and `headerRow: null` are detected from the data. Rows with a repeated key and rows with an empty key field are counted in `warnings` (`duplicate_key`, `empty_key`).
         *
         *     Needs the scope `full`.
         */
        post: operations["previewRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources/{id}/preview/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview what the latest events would have been under other rules or ignored fields
         * @description Compares the stored rows of the latest 10 events with changes again, and changes nothing. Omitted fields are those of the record. Events with other key fields are left out, and so are those whose rows are no longer kept. A tolerance counts from the values before the first of these events. What the present rules left out was not stored, so a stricter rule does not show it, and `isWhole` is false.
         *
         *     Needs the scope `read` or `full`.
         */
        post: operations["previewEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the events of all records that the credential can access
         * @description One feed of changes, of checks that failed, recovered or are held, and of records that are quiet, in the order in which they were committed: the oldest kept event first. Continue with `since=<nextCursor>`; none is ever missed or repeated. Events are kept for 29 days; 410 says that events after the cursor are gone. `Prefer: wait=N` makes an empty page wait for an event. `Accept: text/event-stream` makes it a stream of server-sent events: `id` is the cursor, `data` an event, and `Last-Event-ID` takes the place of `since`. An account may have 20 such waiting calls and streams at a time.
         *
         *     Needs the scope `read` or `full`.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events.atom": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the newest events as an Atom feed
         * @description The newest 100 events, for feed readers and for the RSS apps of Slack and Microsoft Teams. Those send no headers, so the URL may hold a key with the scope `feed`: `/v1/events.atom?token=…`. Anyone who has the URL can read the feed until you revoke the key. A key of one record reads the feed of that record.
         *
         *     Needs the scope `feed`, `read` or `full`.
         */
        get: operations["readAtomFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources/{id}/delta/latest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the latest delta event of a record
         * @description Needs the scope `read` or `full`.
         */
        get: operations["getLatestDeltaEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources/{id}/delta": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a record’s delta events
         * @description Needs the scope `read` or `full`.
         */
        get: operations["listDeltaEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources/{id}/delta/{deltaEventId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one delta event
         * @description Needs the scope `read` or `full`.
         */
        get: operations["getDeltaEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources/{id}/delta/{deltaEventId}/rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the new, changed and deleted rows of a delta event, by key; latest for the latest one
         * @description The latest event may be of a check without changes, and then has no rows. All pages use the event of the first. `search` reads the values before and after. With it or `changedField`, a page reads at most some 100,000 rows, so it may have fewer rows than `limit`, or none, although `hasMore` is true: follow `nextCursor`.
         *
         *     Needs the scope `read` or `full`.
         */
        get: operations["listDeltaRows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources/{id}/delta/{deltaEventId}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the rows of a delta event as a CSV or JSON Lines file; latest for the latest one
         * @description JSON Lines contain the rows in the form of the listing. CSV begins with the columns `change_type`, `row` and `key`, followed by those of the data, the current ones first; a new row has one line (`after`), a deleted one too (`before`), a changed one both. If the record pairs similar rows, or the event has such pairs, `previous_key` follows `key`. Columns of the data keep their names: if one is named like one of these, that one is prefixed with underscores. Otherwise like the download of a snapshot.
         *
         *     Needs the scope `read` or `full`.
         */
        get: operations["downloadDelta"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources/{id}/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count a record’s changes and checks by hour or day
         * @description UTC hours or days, oldest first, including those without changes; at most 750. Deleted history is not counted.
         *
         *     Needs the scope `read` or `full`.
         */
        get: operations["getRecordActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the rows that changed each day, of every record that the credential can access
         * @description Records newest first, UTC days oldest first; the last one is today.
         *
         *     Needs the scope `read` or `full`.
         */
        get: operations["listActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources/{id}/snapshots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a record’s snapshots: the distinct versions of its data
         * @description Needs the scope `read` or `full`.
         */
        get: operations["listSnapshots"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources/{id}/snapshots/{snapshotId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one snapshot; latest for the latest one
         * @description Needs the scope `read` or `full`.
         */
        get: operations["getSnapshot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources/{id}/snapshots/{snapshotId}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a snapshot as a CSV or JSON Lines file; latest for the latest one
         * @description CSV follows RFC 4180, in UTF-8, with `\n` as line end: a header, then the rows by key, byte by byte. Missing values and null are empty cells; arrays are written as JSON text. JSON Lines contain each row as it is stored, numbers as the origin wrote them.
         *
         *     The file is streamed. If the connection is reset, it is incomplete: download it again. `ETag` and `If-None-Match` work, `Accept-Encoding` may ask for gzip or zstd; `Range` is not supported. An account may have eight downloads at once.
         *
         *     With `search` and `filter`, the file has the rows that all pages of the row listing would have, and `filtered` in its name. It is read in parts, which count as searches: if too many are waiting, the download is refused before it begins (429).
         *
         *     Needs the scope `download`, `read` or `full`.
         */
        get: operations["downloadSnapshot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources/{id}/snapshots/{snapshotId}/download-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a link to a snapshot’s file that works for 15 minutes without a credential
         * @description Anyone with the link can use it any number of times, so treat it as a secret. It ends early when the credential that created it is revoked or ends, and when the record is deleted. `search`, `field` and `filter` are those of the download. The link contains them, encrypted, so they must be short enough for a URL (some 1,000 characters).
         *
         *     Needs the scope `download`, `read` or `full`.
         */
        post: operations["createDownloadLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/downloads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the file of a link
         * @description 404 for a token that was never issued, 410 for a link that has ended.
         *
         *     Needs no credential.
         */
        get: operations["followDownloadLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources/{id}/snapshots/{snapshotId}/rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the rows of a snapshot; latest for the latest one
         * @description By key, byte by byte; all pages use the snapshot of the first. With `search` or `filter`, a page reads at most some 100,000 rows, so it may have fewer rows than `limit`, or none, although `hasMore` is true: follow `nextCursor`. A filter for the value of the key field finds its rows at once. Values are returned as the origin wrote them.
         *
         *     Needs the scope `read` or `full`.
         */
        get: operations["listRowsOfSnapshot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources/{id}/snapshot-rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the rows of the latest snapshot
         * @description By key, byte by byte; all pages use the snapshot of the first. With `search` or `filter`, a page reads at most some 100,000 rows, so it may have fewer rows than `limit`, or none, although `hasMore` is true: follow `nextCursor`. A filter for the value of the key field finds its rows at once. Values are returned as the origin wrote them.
         *
         *     Needs the scope `read` or `full`.
         */
        get: operations["listSnapshotRows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources/{id}/snapshots/{snapshotId}/sample": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sample the rows of a snapshot, at random or by the values of a column
         * @description A representative sample, always the same for one snapshot. With `stratifyBy` each value of that column gets a row before any gets two, so that rare values appear too. Of a snapshot with more than some 100,000 rows, about that many are considered. `search` and `filter` apply first.
         *
         *     Needs the scope `read` or `full`.
         */
        get: operations["sampleSnapshotRows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources/{id}/snapshots/{snapshotId}/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Profile the columns of a snapshot: type, extremes, distinct values, samples
         * @description Exact for snapshots of up to 100,000 rows and 1,000,000 values. For a larger one, a sample of about that size is counted, always the same rows (`isSampled`); name fewer columns to include more rows.
         *
         *     Needs the scope `read` or `full`.
         */
        get: operations["getSnapshotProfile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources/{id}/snapshots/{snapshotId}/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count, group and add up the rows of a snapshot
         * @description Exact: sums, averages and extremes are text with every digit (averages: 20 more decimals than the values have). `sum` and `avg` use the plain numbers among the values; `min` and `max` compare numbers if all values of a group are numbers, otherwise text. A missing, null or empty cell has no value: it counts as a row, and `groupBy` puts missing and null together. The POST changes nothing.
         *
         *     Needs the scope `read` or `full`.
         */
        post: operations["querySnapshot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources/{id}/rows/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one row of the latest snapshot by its key
         * @description Needs the scope `read` or `full`.
         */
        get: operations["getRow"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources/{id}/rows/{key}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one row’s history: when it appeared, changed, disappeared and returned
         * @description Covers all stored delta events since the key fields changed or the record started over. The row’s first version is `new`, with the event in which it appeared: for the rows of the first check, the baseline. An event with `rekeyed` makes no entry, because it compares nothing. Keys are percent-encoded (`a/b` is `a%2Fb`).
         *
         *     Needs the scope `read` or `full`.
         */
        get: operations["getRowHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources/{id}/compare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare two snapshots: how many rows differ, and which
         * @description Compares any two snapshots in either order: `from` is the earlier version (by default the snapshot before `to`), `to` the later one (by default `latest`). Rows that changed and changed back do not differ, and neither do values that are the same under the record’s rules; a tolerance does not count here. Snapshots from before and after a change of the key fields or ignored fields cannot be compared (`different_keys`).
         *
         *     Needs the scope `read` or `full`.
         */
        get: operations["compareSnapshots"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources/{id}/compare/rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the rows that differ between two snapshots, by key
         * @description Compares any two snapshots in either order: `from` is the earlier version (by default the snapshot before `to`), `to` the later one (by default `latest`). Rows that changed and changed back do not differ, and neither do values that are the same under the record’s rules; a tolerance does not count here. Snapshots from before and after a change of the key fields or ignored fields cannot be compared (`different_keys`). All pages use the snapshots of the first. `search` reads the values before and after. With it or `changedField`, a page reads at most some 100,000 rows, so it may have fewer rows than `limit`, or none, although `hasMore` is true: follow `nextCursor`.
         *
         *     Needs the scope `read` or `full`.
         */
        get: operations["compareSnapshotRows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources/{id}/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a record’s webhooks
         * @description Needs the scope `full`. Not available to sessions.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Send a record’s changes to an endpoint
         * @description Its signing secret (`secret`) is shown in this response only. A record has at most 20 webhooks, and three before a record of the account is on a paid tier.
         *
         *     Needs the scope `full`. Webhooks become available to the whole account when one of its records is on the tier `watch` or `max`. Those that send mails need no paid tier. Not available to sessions.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources/{id}/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one webhook
         * @description Needs the scope `full`. Not available to sessions.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook with its deliveries
         * @description Needs the scope `full`. Not available to sessions.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook, enable or disable it
         * @description Disabling cancels the deliveries that wait for another attempt (`cancelled`); one that is being sent may still arrive. A disabled webhook gets no deliveries. Enabling it does not send the missed ones, but you can recover them. Enabling it, or setting another URL, clears the reason for which it was disabled and the time since when it failed.
         *
         *     Needs the scope `full`. Not available to sessions.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/v1/sources/{id}/webhooks/{webhookId}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate a webhook’s signing secret
         * @description The new secret is shown in this response only. For 24 hours deliveries carry two signatures, one with the new secret and one with the previous one, so that receivers can switch. Rotating again within that time ends the older one: to end a secret at once, rotate twice.
         *
         *     Needs the scope `full`. Not available to sessions.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources/{id}/webhooks/{webhookId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a webhook an example
         * @description One signed delivery, with one attempt and a body of the given event type with `isTest: true`, regardless of the webhook’s own event types and filters. Its ids do not exist. With `Prefer: wait=N` the response has the result.
         *
         *     Needs the scope `full`. Not available to sessions.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources/{id}/webhooks/{webhookId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a webhook’s deliveries, sent and pending
         * @description A delivery is listed as long as its event is stored. The response for one delivery has what is sent, and what the endpoint answered.
         *
         *     Needs the scope `full`. Not available to sessions.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources/{id}/webhooks/{webhookId}/deliveries/{deliveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one delivery, with what is sent and what the endpoint answered
         * @description Needs the scope `full`. Not available to sessions.
         */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources/{id}/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again
         * @description Sends a delivery with any status again, with ten more attempts. It keeps its id, so receivers that remember ids ignore it. A pending delivery is attempted now. With `Prefer: wait=N` the response has the result of the attempt.
         *
         *     Needs the scope `full`. Not available to sessions.
         */
        post: operations["redeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources/{id}/webhooks/{webhookId}/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send what a webhook has missed
         * @description Since a time or an event: deliveries that failed, deliveries that were cancelled because the webhook was disabled, and events that had no delivery because it was disabled. Oldest first, each with ten attempts. Deliveries keep their ids. Of events without a delivery, only delta events can be recovered: those after the webhook’s creation that match its filters.
         *
         *     Needs the scope `full`. Not available to sessions.
         */
        post: operations["recoverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources/{id}/preview/condition": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count how often a condition would have been met in 30 days
         * @description Asks the condition about the kept events with changes of the last 30 days, and changes nothing. Without a condition, all events that pass the filters meet it.
         *
         *     Needs the scope `read` or `full`.
         */
        post: operations["previewCondition"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhooks of the account
         * @description Without the webhooks of single records.
         *
         *     Needs the scope `full`, of an account key. Not available to sessions.
         */
        get: operations["listAccountWebhooks"];
        put?: never;
        /**
         * Send the changes of several records to one endpoint
         * @description For all records, for those with given labels, or for a list. Settings, bodies and signatures are those of a record’s webhook. Its signing secret (`secret`) is shown in this response only. An account has at most 20 such webhooks, and three before one of its records is on a paid tier.
         *
         *     Needs the scope `full`, of an account key. Webhooks become available to the whole account when one of its records is on the tier `watch` or `max`. Those that send mails need no paid tier. Not available to sessions.
         */
        post: operations["createAccountWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one webhook of the account
         * @description Needs the scope `full`, of an account key. Not available to sessions.
         */
        get: operations["getAccountWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook of the account with its deliveries
         * @description Needs the scope `full`, of an account key. Not available to sessions.
         */
        delete: operations["deleteAccountWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook of the account, enable or disable it
         * @description As for a record’s webhook. `sources` replaces the records for which it is: later events count, and waiting deliveries stay.
         *
         *     Needs the scope `full`, of an account key. Not available to sessions.
         */
        patch: operations["updateAccountWebhook"];
        trace?: never;
    };
    "/v1/webhooks/{webhookId}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the signing secret of a webhook of the account
         * @description As for a record’s webhook.
         *
         *     Needs the scope `full`, of an account key. Not available to sessions.
         */
        post: operations["rotateAccountWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhookId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a webhook of the account an example
         * @description One signed delivery, with one attempt and a body of the given event type with `isTest: true`, regardless of the webhook’s own event types and filters. Its ids do not exist. With `Prefer: wait=N` the response has the result. The body names the newest record that the webhook is for; without one the response is 409.
         *
         *     Needs the scope `full`, of an account key. Not available to sessions.
         */
        post: operations["testAccountWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhookId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a webhook of the account
         * @description Those of all records, as for a record’s webhook. `sourceId` is the record of each.
         *
         *     Needs the scope `full`, of an account key. Not available to sessions.
         */
        get: operations["listAccountDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhookId}/deliveries/{deliveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one delivery of a webhook of the account
         * @description With what is sent, and what the endpoint answered.
         *
         *     Needs the scope `full`, of an account key. Not available to sessions.
         */
        get: operations["getAccountDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery of a webhook of the account again
         * @description As for a record’s webhook.
         *
         *     Needs the scope `full`, of an account key. Not available to sessions.
         */
        post: operations["redeliverOfAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhookId}/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send what a webhook of the account has missed
         * @description As for a record’s webhook. Of events without a delivery, it takes those of the records for which the webhook is now.
         *
         *     Needs the scope `full`, of an account key. Not available to sessions.
         */
        post: operations["recoverAccountWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/preview/condition": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count how often a condition would have been met by several records in 30 days
         * @description Asks the condition about the kept events with changes of the last 30 days, and changes nothing. Without a condition, all events that pass the filters meet it.
         *
         *     Needs the scope `full`, of an account key. Not available to sessions.
         */
        post: operations["previewAccountCondition"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apikeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the account’s API keys
         * @description Includes revoked (`revokedAt`) and expired keys. The keys of one record are listed with the record.
         *
         *     Needs the scope `full`, of an account key. Not available to sessions.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key for all of the account’s records
         * @description Its value (`key`) is shown in this response only; the service stores its hash. To replace a key, create the new one, switch to it, then revoke the old one. An account has at most 100 valid keys.
         *
         *     Needs the scope `full`, of an account key. API keys become available to the whole account when one of its records is on the tier `watch` or `max`. Not available to sessions.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apikeys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key of the account
         * @description The key stops working at once in every process, for good; a key may revoke itself. Revoking it again changes nothing and gets the same response.
         *
         *     Needs the scope `full`, of an account key. Not available to sessions.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources/{id}/apikeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a record’s API keys
         * @description Includes revoked (`revokedAt`) and expired keys.
         *
         *     Needs the scope `full`. Not available to sessions.
         */
        get: operations["listRecordApiKeys"];
        put?: never;
        /**
         * Create an API key for one record
         * @description It can access this record only, under `self`, and ends with it. Its value (`key`) is shown in this response only. A record has at most 20 valid keys.
         *
         *     Needs the scope `full`. API keys become available to the whole account when one of its records is on the tier `watch` or `max`. Not available to sessions.
         */
        post: operations["createRecordApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources/{id}/apikeys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key of a record
         * @description The key stops working at once in every process, for good. Revoking it again changes nothing and gets the same response.
         *
         *     Needs the scope `full`. Not available to sessions.
         */
        delete: operations["revokeRecordApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/key-requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a program’s request for an API key, by its code
         * @description Only while it waits for an answer. `machine` is what the program says, and is not verified.
         *
         *     Needs the scope `full`, of an account key. Not available to sessions.
         */
        get: operations["getKeyRequest"];
        put?: never;
        /**
         * Ask for an API key that a person allows in the dashboard
         * @description For a program on somebody’s machine, such as `recordwatch login`. Show `userCode` and `verificationUrl` to the person, then ask for the key with `deviceSecret` every `intervalSeconds` (`POST /v1/key-requests/collect`). A request lives for 10 minutes. Each address gets 30 of them an hour. `Idempotency-Key` has no effect here.
         *
         *     Needs no credential.
         */
        post: operations["startKeyRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/key-requests/collect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Collect the API key of a request that a person has allowed
         * @description The key is made by this call, for the holder of the secret alone, and only once: then the secret is unknown (404). `Idempotency-Key` has no effect here.
         *
         *     Needs no credential.
         */
        post: operations["collectKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/key-requests/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Allow or refuse a program’s request for an API key
         * @description The first answer counts. The key itself is made when the program collects it, and ends up with that program alone. Allow only what you started yourself, on your own machine.
         *
         *     Needs the scope `full`, of an account key. API keys become available to the whole account when one of its records is on the tier `watch` or `max`. Not available to sessions.
         */
        post: operations["answerKeyRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connectedclients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the MCP clients that are connected to the account
         * @description They were connected through OAuth by a person who signed in or showed an account key.
         *
         *     Needs the scope `full`, of an account key.
         */
        get: operations["listConnectedClients"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connectedclients/{connectedClientId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Disconnect an MCP client
         * @description All of its tokens stop working at once in every process.
         *
         *     Needs the scope `full`, of an account key.
         */
        delete: operations["disconnectClient"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what the account uses, and its tier’s limits
         * @description The tier of an account is the highest among its records, and applies to account-wide limits. A record’s size and check interval depend on its own tier.
         *
         *     Needs the scope `read` or `full`, of an account key.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auditlog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who changed what in the account
         * @description Every change by a key, a person, an MCP client or the operator, with where it came from. Entries are kept 400 days. Those of a deleted record stay; those of a deleted account are erased with it.
         *
         *     Needs the scope `full`, of an account key.
         */
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Watch the data behind a URL without an account
         * @description Creates one record, and a token that controls it for 24 hours: send it as `Authorization: Bearer <token>`. Then the record is erased with all of its history, unless it was kept (`POST /v1/sources/self/keep`). Each address gets 10 sessions an hour and 30 a day. `Idempotency-Key` has no effect here. A setting that is `null` counts as not given.
         *
         *     Needs no credential.
         */
        post: operations["createSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/self": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what remains of an anonymous session
         * @description With the session’s own token. Any other credential gets 404.
         *
         *     Needs the scope `read` or `full`.
         */
        get: operations["getSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sources/{id}/keep": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move the record of an ephemeral session into the account
         * @description The record moves with all of its history and its credentials, and continues on the tier `free`. Its session ends with the response. `:id` is the record’s id or slug in the session, or `self`. If the account uses the slug already, it gets a suffix, unless you request another one.
         *
         *     Needs the scope `full`, of an account key.
         */
        post: operations["keepRecord"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    delta: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rows of a record have changed
         * @description Sent to each enabled webhook of a record, and of its account for that record, for every delta event with at least one new, changed or deleted row that matches its filters.
         *
         *     Signed according to [Standard Webhooks](https://www.standardwebhooks.com) 1.0.0: `webhook-signature` is `v1,` and the
         *     base64 of the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` with the webhook's secret. Verify it over the body
         *     exactly as it arrived, and refuse timestamps that differ by more than five minutes.
         *
         *     Any 2xx within 15 seconds is a success. Otherwise the delivery is retried, with ten attempts in all over about 75 hours,
         *     following `Retry-After`. A 410 disables the webhook, and so do five days of nothing but failures, with one in these days at
         *     least half a day before the last. Redirects are not followed.
         */
        post: operations["delta"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "check.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A check of a record failed
         * @description Sent for the first of several consecutive failed checks, to webhooks with this event type.
         *
         *     Signed according to [Standard Webhooks](https://www.standardwebhooks.com) 1.0.0: `webhook-signature` is `v1,` and the
         *     base64 of the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` with the webhook's secret. Verify it over the body
         *     exactly as it arrived, and refuse timestamps that differ by more than five minutes.
         *
         *     Any 2xx within 15 seconds is a success. Otherwise the delivery is retried, with ten attempts in all over about 75 hours,
         *     following `Retry-After`. A 410 disables the webhook, and so do five days of nothing but failures, with one in these days at
         *     least half a day before the last. Redirects are not followed.
         */
        post: operations["checkFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "check.recovered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A check of a record succeeded again
         * @description Sent for the first successful check after failed ones, to webhooks with this event type.
         *
         *     Signed according to [Standard Webhooks](https://www.standardwebhooks.com) 1.0.0: `webhook-signature` is `v1,` and the
         *     base64 of the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` with the webhook's secret. Verify it over the body
         *     exactly as it arrived, and refuse timestamps that differ by more than five minutes.
         *
         *     Any 2xx within 15 seconds is a success. Otherwise the delivery is retried, with ten attempts in all over about 75 hours,
         *     following `Retry-After`. A 410 disables the webhook, and so do five days of nothing but failures, with one in these days at
         *     least half a day before the last. Redirects are not followed.
         */
        post: operations["checkRecovered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "check.held": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A check of a record is held
         * @description Sent for the first check that is held because rows are missing or the key repeats, to webhooks with this event type. It needs a confirmation by a second check or by the owner.
         *
         *     Signed according to [Standard Webhooks](https://www.standardwebhooks.com) 1.0.0: `webhook-signature` is `v1,` and the
         *     base64 of the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` with the webhook's secret. Verify it over the body
         *     exactly as it arrived, and refuse timestamps that differ by more than five minutes.
         *
         *     Any 2xx within 15 seconds is a success. Otherwise the delivery is retried, with ten attempts in all over about 75 hours,
         *     following `Retry-After`. A 410 disables the webhook, and so do five days of nothing but failures, with one in these days at
         *     least half a day before the last. Redirects are not followed.
         */
        post: operations["checkHeld"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "schema.changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Columns of a record were added or removed
         * @description Sent for every check that finds other columns than the previous one, to webhooks with this event type.
         *
         *     Signed according to [Standard Webhooks](https://www.standardwebhooks.com) 1.0.0: `webhook-signature` is `v1,` and the
         *     base64 of the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` with the webhook's secret. Verify it over the body
         *     exactly as it arrived, and refuse timestamps that differ by more than five minutes.
         *
         *     Any 2xx within 15 seconds is a success. Otherwise the delivery is retried, with ten attempts in all over about 75 hours,
         *     following `Retry-After`. A 410 disables the webhook, and so do five days of nothing but failures, with one in these days at
         *     least half a day before the last. Redirects are not followed.
         */
        post: operations["schemaChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "record.quiet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A record has not changed for a while
         * @description Sent once a good check has found no change for `quietHours`, to webhooks with this event type; again only after a change.
         *
         *     Signed according to [Standard Webhooks](https://www.standardwebhooks.com) 1.0.0: `webhook-signature` is `v1,` and the
         *     base64 of the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` with the webhook's secret. Verify it over the body
         *     exactly as it arrived, and refuse timestamps that differ by more than five minutes.
         *
         *     Any 2xx within 15 seconds is a success. Otherwise the delivery is retried, with ten attempts in all over about 75 hours,
         *     following `Retry-After`. A 410 disables the webhook, and so do five days of nothing but failures, with one in these days at
         *     least half a day before the last. Redirects are not followed.
         */
        post: operations["recordQuiet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A webhook of a record was disabled after failures
         * @description Sent to the record’s other webhooks with this event type, and to those of the account that are for the record. A webhook of the account that was disabled is reported to the latter only.
         *
         *     Signed according to [Standard Webhooks](https://www.standardwebhooks.com) 1.0.0: `webhook-signature` is `v1,` and the
         *     base64 of the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` with the webhook's secret. Verify it over the body
         *     exactly as it arrived, and refuse timestamps that differ by more than five minutes.
         *
         *     Any 2xx within 15 seconds is a success. Otherwise the delivery is retried, with ten attempts in all over about 75 hours,
         *     following `Retry-After`. A 410 disables the webhook, and so do five days of nothing but failures, with one in these days at
         *     least half a day before the last. Redirects are not followed.
         */
        post: operations["webhookDisabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * AcceptedCheck
         * @example {
         *       "id": "chk_019a346c18f0700182a3b4c5d6e7f809",
         *       "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *       "number": 24,
         *       "trigger": "schedule",
         *       "startedAt": "2026-03-02T09:00:03.120Z",
         *       "finishedAt": "2026-03-02T09:00:04.512Z",
         *       "outcome": "held",
         *       "isBaseline": false,
         *       "httpStatus": 200,
         *       "bytes": 430,
         *       "rows": 11,
         *       "snapshotId": "snap_019a2f6b9a1b7c2d8e3f405162738495",
         *       "deltaEventId": null,
         *       "error": {
         *         "code": "sharp_drop",
         *         "detail": "Far fewer rows than last time; waiting for a second check to confirm. 11 rows after 418."
         *       },
         *       "warnings": [],
         *       "decision": "accepted",
         *       "decidedAt": "2026-03-02T09:04:10.001Z",
         *       "originAnswer": null,
         *       "heldChanges": {
         *         "newCount": 0,
         *         "changedCount": 0,
         *         "deletedCount": 407,
         *         "totalCount": 11,
         *         "newKeys": [],
         *         "changedKeys": [],
         *         "deletedKeys": [
         *           "A-1012",
         *           "A-1013"
         *         ]
         *       },
         *       "isRecorded": true
         *     }
         */
        AcceptedCheck: {
            id: string;
            sourceId: string;
            number: number | null;
            /** @enum {string} */
            trigger: "schedule" | "manual" | "created" | "settings" | "accepted";
            startedAt: string | null;
            finishedAt: string | null;
            outcome: ("changed" | "unchanged" | "held" | "failed") | null;
            /** @description There was nothing to compare the rows with. */
            isBaseline: boolean;
            httpStatus: number | null;
            bytes: number | null;
            rows: number | null;
            snapshotId: string | null;
            deltaEventId: string | null;
            error: components["schemas"]["CheckError"] | null;
            warnings: components["schemas"]["Warning"][];
            decision: ("accepted" | "rejected") | null;
            decidedAt: string | null;
            originAnswer: components["schemas"]["OriginAnswer"] | null;
            heldChanges: components["schemas"]["HeldChanges"] | null;
            /** @description Whether the decision took effect. If not, a worker will record the held body soon, unless a newer check comes first or the body cannot be read: see the record’s checks. */
            isRecorded: boolean;
        };
        /**
         * AccountWebhook
         * @example {
         *       "id": "wh_019a30112233744586a7b8c9d0e1f203",
         *       "url": "https://hooks.example/recordwatch",
         *       "enabled": true,
         *       "disabledReason": null,
         *       "disabledAt": null,
         *       "description": "Prices for the shop window",
         *       "eventTypes": [
         *         "delta",
         *         "check.failed"
         *       ],
         *       "filters": {
         *         "changeTypes": [
         *           "new",
         *           "changed"
         *         ],
         *         "columns": [
         *           "price"
         *         ]
         *       },
         *       "condition": {
         *         "some": [
         *           {
         *             "var": "rows"
         *           },
         *           {
         *             "<": [
         *               {
         *                 "percent": "price"
         *               },
         *               -5
         *             ]
         *           }
         *         ]
         *       },
         *       "format": "json",
         *       "include": "keys",
         *       "maxBodyBytes": 262144,
         *       "fields": null,
         *       "ordered": false,
         *       "onFailure": "block",
         *       "quietHours": 24,
         *       "failingAfter": 1,
         *       "digest": null,
         *       "previousSecretUntil": null,
         *       "failingSince": null,
         *       "createdAt": "2026-03-01T12:42:10.003Z",
         *       "sources": {
         *         "labels": {
         *           "team": "prices"
         *         }
         *       }
         *     }
         */
        AccountWebhook: {
            id: string;
            sources: components["schemas"]["WebhookSources"] | null;
            url: string;
            enabled: boolean;
            disabledReason: string | null;
            disabledAt: string | null;
            description: string | null;
            eventTypes: ("delta" | "check.failed" | "check.recovered" | "check.held" | "schema.changed" | "record.quiet" | "webhook.disabled")[];
            filters: components["schemas"]["WebhookFilters"] | null;
            condition: components["schemas"]["Condition"] | null;
            /**
             * @description The form of bodies: `json`, the members alone; `cloudevents`, as the `data` of a CloudEvent 1.0 in structured mode; `slack`, `teams`, `discord` or `ntfy`, a message for people at the URL of a chat; or `mail`, a mail to a `mailto:` URL.
             * @enum {string}
             */
            format: "json" | "cloudevents" | "slack" | "teams" | "discord" | "ntfy" | "mail";
            /**
             * @description What the body of a `delta` says of the rows: `keys`, the first 100 of each change type, or `rows`, also the values of those that the filters select, before and after. Messages for people show the first rows with either.
             * @enum {string}
             */
            include: "keys" | "rows";
            /** @description The largest body with rows, in bytes. `rowsUrl` continues with the rows that do not fit. */
            maxBodyBytes: number;
            fields: string[] | null;
            /** @description The events of a record are sent one at a time, in their order: each waits until the one before has ended. */
            ordered: boolean;
            /**
             * @description With `ordered`, what happens when a delivery has failed in all its attempts: `block`, the later ones of the record wait until it was sent again and arrived, or `skip`, they are sent without it.
             * @enum {string}
             */
            onFailure: "block" | "skip";
            /** @description After how many hours without a change `record.quiet` is sent. */
            quietHours: number;
            /** @description After how many failed checks in a row `check.failed` is sent. `check.recovered` is sent only after as many. */
            failingAfter: number;
            digest: components["schemas"]["Digest"] | null;
            previousSecretUntil: string | null;
            failingSince: string | null;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:04.512Z
             */
            createdAt: string;
            activity?: components["schemas"]["WebhookActivity"];
        };
        /**
         * ActivityBucket
         * @example {
         *       "start": "2026-03-02T09:00:04.512Z",
         *       "newCount": 1,
         *       "changedCount": 1,
         *       "deletedCount": 1,
         *       "checks": 1,
         *       "failed": 1,
         *       "held": 1
         *     }
         */
        ActivityBucket: {
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:04.512Z
             */
            start: string;
            newCount: number;
            changedCount: number;
            deletedCount: number;
            /** @description Finished checks, with any outcome. */
            checks: number;
            failed: number;
            held: number;
        };
        /**
         * AnswerKeyRequestRequest
         * @example {
         *       "userCode": "WDJB-MJHT",
         *       "answer": "allow",
         *       "scope": "full"
         *     }
         */
        AnswerKeyRequestRequest: {
            /** @description The code that the program shows: two groups of four capital letters, joined by a hyphen. */
            userCode: string;
            /** @enum {string} */
            answer: "allow" | "refuse";
            /**
             * @description What the key permits; `read` by default.
             * @enum {string}
             */
            scope?: "full" | "read";
        };
        /**
         * ApiKey
         * @example {
         *       "id": "key_019a2f70a1b27c3d94e5f60718293a4b",
         *       "name": "Nightly import",
         *       "scope": "read",
         *       "kind": "account",
         *       "prefix": "cat_live_",
         *       "last4": "x2Rk",
         *       "createdAt": "2026-03-01T09:50:00.000Z",
         *       "lastUsedAt": "2026-03-02T09:00:04.512Z",
         *       "expiresAt": null,
         *       "revokedAt": null
         *     }
         */
        ApiKey: {
            /** @description Identifies the key, to revoke it. */
            id: string;
            name: string;
            /** @enum {string} */
            scope: "feed" | "download" | "read" | "full";
            /**
             * @description `account`: for all records of the account; `record`: for one of them.
             * @enum {string}
             */
            kind: "account" | "record";
            /** @description The beginning of the key; with `last4` it tells keys apart. */
            prefix: string;
            last4: string;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:04.512Z
             */
            createdAt: string;
            lastUsedAt: string | null;
            expiresAt: string | null;
            revokedAt: string | null;
        };
        /**
         * Attempt
         * @example {
         *       "number": 1,
         *       "startedAt": "2026-03-02T09:00:04.561Z",
         *       "durationMs": 87,
         *       "statusCode": 204,
         *       "errorCode": null,
         *       "response": ""
         *     }
         */
        Attempt: {
            /** @description Counts the attempts of the delivery, from 1. */
            number: number;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:04.512Z
             */
            startedAt: string;
            durationMs: number;
            statusCode: number | null;
            errorCode: ("url_not_allowed" | "endpoint_unreachable" | "endpoint_timeout" | "http_error" | "mail_refused" | "mail_limit_reached" | "webhook_disabled" | "secret_unreadable") | null;
            response?: string | null;
        };
        /**
         * AuditEntry
         * @example {
         *       "id": "aud_019a2f7a40c17d2e8b3c4d5e6f708192",
         *       "createdAt": "2026-03-01T10:01:36.449Z",
         *       "action": "record.update",
         *       "actor": {
         *         "type": "user",
         *         "id": "usr_019a2f6a11e07c4d9a2b3c4d5e6f7081",
         *         "name": "Ada"
         *       },
         *       "target": {
         *         "type": "record",
         *         "id": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *         "name": "Shop prices"
         *       },
         *       "door": "dashboard",
         *       "ip": "203.0.113.7",
         *       "userAgent": "Mozilla/5.0 (X11; Linux x86_64; rv:147.0) Gecko/20100101 Firefox/147.0",
         *       "requestId": "5d2f0f6e-8c9b-4b1d-9f7a-2c3d4e5f6071",
         *       "changes": [
         *         {
         *           "field": "checkIntervalMinutes",
         *           "before": 1440,
         *           "after": 60
         *         }
         *       ],
         *       "count": 1,
         *       "lastAt": "2026-03-01T10:01:36.449Z"
         *     }
         */
        AuditEntry: {
            id: string;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:04.512Z
             */
            createdAt: string;
            /** @enum {string} */
            action: "account.create" | "account.delete" | "account.rotate_key" | "api_key.create" | "api_key.revoke" | "check.accept" | "check.reject" | "client.connect" | "client.disconnect" | "delivery.redeliver" | "key_request.answer" | "record.check" | "record.create" | "record.delete" | "record.keep" | "record.pause" | "record.resume" | "record.set_tier" | "record.update" | "user.cancel_email_change" | "user.change_email" | "user.change_password" | "user.create" | "user.create_sign_in_link" | "user.end_sessions" | "user.request_email_change" | "user.request_password_reset" | "user.reset_password" | "user.sign_in" | "user.sign_out" | "user.undo_email_change" | "webhook.create" | "webhook.delete" | "webhook.recover" | "webhook.rotate_secret" | "webhook.test" | "webhook.update";
            /** @description Who made the change, with the name that they had then. */
            actor: {
                /** @enum {string} */
                type: "api_key" | "client" | "user" | "session" | "operator" | "anonymous";
                id: string | null;
                name: string | null;
            };
            /** @description What was changed, with the name that it had then. */
            target: {
                /** @enum {string} */
                type: "account" | "api_key" | "check" | "client" | "delivery" | "key_request" | "record" | "user" | "webhook";
                id: string;
                name: string | null;
            };
            /**
             * @description Where the change was made.
             * @enum {string}
             */
            door: "api" | "mcp" | "dashboard" | "sign-in" | "oauth" | "mail" | "operator";
            /** @description Null for the operator. */
            ip: string | null;
            userAgent: string | null;
            /** @description `X-Request-Id` of the response to the change. */
            requestId: string | null;
            /** @description Settings that were changed. `before` and `after` are missing for secrets, shortened when they are long, and of URLs only the origin is shown. */
            changes: {
                field: string;
                before?: unknown;
                after?: unknown;
            }[];
            /** @description Repeated requests of an hour for a check or a delivery share an entry. */
            count: number;
            /**
             * Format: date-time
             * @description The time of the last of them.
             * @example 2026-03-02T09:00:04.512Z
             */
            lastAt: string;
        };
        /**
         * ChangedColumn
         * @example {
         *       "field": "price",
         *       "rows": 1
         *     }
         */
        ChangedColumn: {
            field: string;
            rows: number;
        };
        /**
         * Check
         * @example {
         *       "id": "chk_019a346c18f0700182a3b4c5d6e7f809",
         *       "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *       "number": 24,
         *       "trigger": "schedule",
         *       "startedAt": "2026-03-02T09:00:03.120Z",
         *       "finishedAt": "2026-03-02T09:00:04.512Z",
         *       "outcome": "changed",
         *       "isBaseline": false,
         *       "httpStatus": 200,
         *       "bytes": 15872,
         *       "rows": 418,
         *       "snapshotId": "snap_019a346c1d2e7f30a1b2c3d4e5f60718",
         *       "deltaEventId": "evt_019a346c1d2e7a4b9c8d7e6f50413223",
         *       "error": null,
         *       "warnings": [],
         *       "decision": null,
         *       "decidedAt": null
         *     }
         */
        Check: {
            id: string;
            sourceId: string;
            number: number | null;
            /** @enum {string} */
            trigger: "schedule" | "manual" | "created" | "settings" | "accepted";
            startedAt: string | null;
            finishedAt: string | null;
            outcome: ("changed" | "unchanged" | "held" | "failed") | null;
            /** @description There was nothing to compare the rows with. */
            isBaseline: boolean;
            httpStatus: number | null;
            bytes: number | null;
            rows: number | null;
            snapshotId: string | null;
            deltaEventId: string | null;
            error: components["schemas"]["CheckError"] | null;
            warnings: components["schemas"]["Warning"][];
            decision: ("accepted" | "rejected") | null;
            decidedAt: string | null;
        };
        /**
         * CheckDetail
         * @example {
         *       "id": "chk_019a346c18f0700182a3b4c5d6e7f809",
         *       "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *       "number": 24,
         *       "trigger": "schedule",
         *       "startedAt": "2026-03-02T09:00:03.120Z",
         *       "finishedAt": "2026-03-02T09:00:04.512Z",
         *       "outcome": "held",
         *       "isBaseline": false,
         *       "httpStatus": 200,
         *       "bytes": 430,
         *       "rows": 11,
         *       "snapshotId": "snap_019a2f6b9a1b7c2d8e3f405162738495",
         *       "deltaEventId": null,
         *       "error": {
         *         "code": "sharp_drop",
         *         "detail": "Far fewer rows than last time; waiting for a second check to confirm. 11 rows after 418."
         *       },
         *       "warnings": [],
         *       "decision": null,
         *       "decidedAt": null,
         *       "originAnswer": null,
         *       "heldChanges": {
         *         "newCount": 0,
         *         "changedCount": 0,
         *         "deletedCount": 407,
         *         "totalCount": 11,
         *         "newKeys": [],
         *         "changedKeys": [],
         *         "deletedKeys": [
         *           "A-1012",
         *           "A-1013"
         *         ]
         *       }
         *     }
         */
        CheckDetail: {
            id: string;
            sourceId: string;
            number: number | null;
            /** @enum {string} */
            trigger: "schedule" | "manual" | "created" | "settings" | "accepted";
            startedAt: string | null;
            finishedAt: string | null;
            outcome: ("changed" | "unchanged" | "held" | "failed") | null;
            /** @description There was nothing to compare the rows with. */
            isBaseline: boolean;
            httpStatus: number | null;
            bytes: number | null;
            rows: number | null;
            snapshotId: string | null;
            deltaEventId: string | null;
            error: components["schemas"]["CheckError"] | null;
            warnings: components["schemas"]["Warning"][];
            decision: ("accepted" | "rejected") | null;
            decidedAt: string | null;
            originAnswer: components["schemas"]["OriginAnswer"] | null;
            heldChanges: components["schemas"]["HeldChanges"] | null;
        };
        /**
         * CheckError
         * @description Why a check failed or was held.
         * @example {
         *       "code": "http_error",
         *       "detail": "The origin answered with an error status. It was 503."
         *     }
         */
        CheckError: {
            /** @enum {string} */
            code: "url_not_allowed" | "credentials_unreadable" | "origin_unreachable" | "origin_timeout" | "http_error" | "too_many_redirects" | "redirect_not_allowed" | "body_too_large" | "body_truncated" | "empty_body" | "unsupported_encoding" | "encoding_invalid" | "unexpected_content" | "header_unclear" | "malformed_body" | "invalid_character" | "missing_key_field" | "too_many_rows" | "too_many_columns" | "row_too_large" | "body_not_kept" | "internal" | "key_repeated" | "sharp_drop";
            detail: string;
        };
        /**
         * CheckFailedPayload
         * @example {
         *       "event": "check.failed",
         *       "type": "check.failed",
         *       "timestamp": "2026-03-02T09:00:04.512Z",
         *       "webhookId": "wh_019a30112233744586a7b8c9d0e1f203",
         *       "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *       "sourceName": "Shop prices",
         *       "sourceSlug": "shop-prices",
         *       "deltaEventId": null,
         *       "checkId": "chk_019a346c18f0700182a3b4c5d6e7f809",
         *       "failingSince": "2026-03-02T09:00:04.512Z",
         *       "error": {
         *         "code": "http_error",
         *         "detail": "The origin answered with an error status. It was 503."
         *       }
         *     }
         */
        CheckFailedPayload: {
            /** @constant */
            event: "check.failed";
            /**
             * @description The same as `event`, under the name of Standard Webhooks.
             * @constant
             */
            type: "check.failed";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-02T09:00:04.512Z
             */
            timestamp: string;
            webhookId: string;
            /** @description The record. */
            sourceId: string;
            sourceName: string;
            sourceSlug: string;
            /** @description true: a requested example. Real events omit it. */
            isTest?: boolean;
            deltaEventId: string | null;
            /** @description The check that caused the event. */
            checkId: string;
            /**
             * Format: date-time
             * @description When the first of the consecutive failed checks was made.
             * @example 2026-03-02T09:00:04.512Z
             */
            failingSince: string;
            error: components["schemas"]["FailedCheckError"];
        };
        /**
         * CheckHeldPayload
         * @example {
         *       "event": "check.held",
         *       "type": "check.held",
         *       "timestamp": "2026-03-02T09:00:04.512Z",
         *       "webhookId": "wh_019a30112233744586a7b8c9d0e1f203",
         *       "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *       "sourceName": "Shop prices",
         *       "sourceSlug": "shop-prices",
         *       "deltaEventId": null,
         *       "checkId": "chk_019a346c18f0700182a3b4c5d6e7f809",
         *       "error": {
         *         "code": "sharp_drop",
         *         "detail": "Far fewer rows than last time; waiting for a second check to confirm."
         *       }
         *     }
         */
        CheckHeldPayload: {
            /** @constant */
            event: "check.held";
            /**
             * @description The same as `event`, under the name of Standard Webhooks.
             * @constant
             */
            type: "check.held";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-02T09:00:04.512Z
             */
            timestamp: string;
            webhookId: string;
            /** @description The record. */
            sourceId: string;
            sourceName: string;
            sourceSlug: string;
            /** @description true: a requested example. Real events omit it. */
            isTest?: boolean;
            deltaEventId: string | null;
            /** @description The check that caused the event. */
            checkId: string;
            error: components["schemas"]["HeldCheckError"];
        };
        /**
         * CheckRecoveredPayload
         * @example {
         *       "event": "check.recovered",
         *       "type": "check.recovered",
         *       "timestamp": "2026-03-02T09:00:04.512Z",
         *       "webhookId": "wh_019a30112233744586a7b8c9d0e1f203",
         *       "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *       "sourceName": "Shop prices",
         *       "sourceSlug": "shop-prices",
         *       "deltaEventId": null,
         *       "checkId": "chk_019a346c18f0700182a3b4c5d6e7f809",
         *       "failingSince": "2026-03-02T05:00:03.004Z"
         *     }
         */
        CheckRecoveredPayload: {
            /** @constant */
            event: "check.recovered";
            /**
             * @description The same as `event`, under the name of Standard Webhooks.
             * @constant
             */
            type: "check.recovered";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-02T09:00:04.512Z
             */
            timestamp: string;
            webhookId: string;
            /** @description The record. */
            sourceId: string;
            sourceName: string;
            sourceSlug: string;
            /** @description true: a requested example. Real events omit it. */
            isTest?: boolean;
            deltaEventId: string | null;
            /** @description The check that caused the event. */
            checkId: string;
            /**
             * Format: date-time
             * @description When the first of the consecutive failed checks was made.
             * @example 2026-03-02T09:00:04.512Z
             */
            failingSince: string;
        };
        /**
         * CloudEvent
         * @description A CloudEvent 1.0 in structured mode.
         * @example {
         *       "specversion": "1.0",
         *       "id": "dlv_019a346c20117b3c8d4e5f6071829304",
         *       "source": "https://recordwatch.example/v1/sources/src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *       "type": "recordwatch.delta",
         *       "subject": "evt_019a346c1d2e7a4b9c8d7e6f50413223",
         *       "time": "2026-03-02T09:00:04.512Z",
         *       "datacontenttype": "application/json",
         *       "data": {
         *         "event": "delta",
         *         "type": "delta",
         *         "timestamp": "2026-03-02T09:00:04.512Z",
         *         "webhookId": "wh_019a30112233744586a7b8c9d0e1f203",
         *         "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *         "sourceName": "Shop prices",
         *         "sourceSlug": "shop-prices",
         *         "deltaEventId": "evt_019a346c1d2e7a4b9c8d7e6f50413223",
         *         "snapshotId": "snap_019a346c1d2e7f30a1b2c3d4e5f60718",
         *         "detectedAt": "2026-03-02T09:00:04.512Z",
         *         "summary": {
         *           "newCount": 0,
         *           "changedCount": 1,
         *           "deletedCount": 0,
         *           "unchangedCount": 417,
         *           "totalCount": 418
         *         },
         *         "newKeys": [],
         *         "changedKeys": [
         *           "A-1001"
         *         ],
         *         "deletedKeys": [],
         *         "truncated": {
         *           "newKeys": false,
         *           "changedKeys": false,
         *           "deletedKeys": false
         *         },
         *         "rowsUrl": "https://recordwatch.example/v1/sources/src_019a2f6b7c8d7e9fa0b1c2d3e4f50617/delta/evt_019a346c1d2e7a4b9c8d7e6f50413223/rows"
         *       }
         *     }
         */
        CloudEvent: {
            /** @description Always 1.0. */
            specversion: string;
            /** @description The delivery, as in `webhook-id`. */
            id: string;
            /** @description The URL of the record in the API. */
            source: string;
            /** @description `recordwatch.` and the event type. */
            type: string;
            /** @description What it is about: the id of a delta event, a check or a webhook. */
            subject?: string;
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-02T09:00:04.512Z
             */
            time: string;
            /** @description Always application/json. */
            datacontenttype: string;
            data: components["schemas"]["CloudEventData"];
        };
        /**
         * CloudEventData
         * @description The body of this event type in `json` format.
         * @example {
         *       "event": "delta",
         *       "type": "delta",
         *       "timestamp": "2026-03-02T09:00:04.512Z",
         *       "webhookId": "wh_019a30112233744586a7b8c9d0e1f203",
         *       "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *       "sourceName": "Shop prices",
         *       "sourceSlug": "shop-prices",
         *       "deltaEventId": "evt_019a346c1d2e7a4b9c8d7e6f50413223",
         *       "snapshotId": "snap_019a346c1d2e7f30a1b2c3d4e5f60718",
         *       "detectedAt": "2026-03-02T09:00:04.512Z",
         *       "summary": {
         *         "newCount": 0,
         *         "changedCount": 1,
         *         "deletedCount": 0,
         *         "unchangedCount": 417,
         *         "totalCount": 418
         *       },
         *       "newKeys": [],
         *       "changedKeys": [
         *         "A-1001"
         *       ],
         *       "deletedKeys": [],
         *       "truncated": {
         *         "newKeys": false,
         *         "changedKeys": false,
         *         "deletedKeys": false
         *       },
         *       "rowsUrl": "https://recordwatch.example/v1/sources/src_019a2f6b7c8d7e9fa0b1c2d3e4f50617/delta/evt_019a346c1d2e7a4b9c8d7e6f50413223/rows"
         *     }
         */
        CloudEventData: Record<string, never>;
        /**
         * CollectKeyRequest
         * @example {
         *       "deviceSecret": "mQ3vXhT0rWb8yNfK2sLdUe7pJzAgCc51_Rk9xVn4TqE"
         *     }
         */
        CollectKeyRequest: {
            /** @description from the start of the request */
            deviceSecret: string;
        };
        /**
         * CollectedKey
         * @example {
         *       "status": "issued",
         *       "intervalSeconds": 5,
         *       "key": "cat_live_2mNf8QxWv4TrKp0ZsLb6YdHjCe1AgU7o5BaT3x"
         *     }
         */
        CollectedKey: {
            /**
             * @description `pending`: nobody has answered, ask again; `issued`: `key` is the key; `refused` and `expired`: start again.
             * @enum {string}
             */
            status: "pending" | "issued" | "refused" | "expired";
            /** @description How long the program waits before it asks (again). Asking earlier makes it longer. */
            intervalSeconds: number;
            key: string | null;
        };
        /**
         * ColumnProfile
         * @example {
         *       "column": "price",
         *       "type": "number",
         *       "filled": 418,
         *       "distinct": 204,
         *       "minimum": "0.99",
         *       "maximum": "1249.00",
         *       "samples": [
         *         "9.90",
         *         "19.90",
         *         "24.90",
         *         "4.50",
         *         "49.00"
         *       ]
         *     }
         */
        ColumnProfile: {
            column: string;
            /**
             * @description What all values are: `integer` and `number` are plain numbers, `boolean` is true or false, `date` an ISO 8601 date or time; `text` is anything else, `mixed` several kinds, `empty` no value at all.
             * @enum {string}
             */
            type: "empty" | "integer" | "number" | "boolean" | "date" | "text" | "mixed";
            /** @description Rows in which it is not missing, null or empty. */
            filled: number;
            /** @description Distinct values; 1.0 and 1.00 are two. */
            distinct: number;
            minimum: string | null;
            maximum: string | null;
            /** @description Up to five, the most frequent first, truncated after 200 characters. */
            samples: string[];
        };
        /**
         * ColumnRule
         * @example {
         *       "as": "number",
         *       "tolerance": "0.01",
         *       "trim": true,
         *       "ignoreCase": true,
         *       "normalize": "NFC"
         *     }
         */
        ColumnRule: {
            /**
             * @description `number`: 1.10 is 1.1. `date`: two ways to write one day or one instant are the same.
             * @enum {string}
             */
            as?: "number" | "date";
            /**
             * @description a decimal number such as `0.01`, or a percentage such as `1%`: with `as: number`, a number that is as close as this to the one reported last is the same
             * @example 0.01
             * @example 1%
             */
            tolerance?: string;
            /** @description White space at both ends does not count. */
            trim?: boolean;
            ignoreCase?: boolean;
            /**
             * @description The Unicode form in which texts are compared.
             * @enum {string}
             */
            normalize?: "NFC" | "NFKC";
        };
        /**
         * CompareSnapshotRowsResult
         * @example {
         *       "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *       "count": 1,
         *       "hasMore": true,
         *       "nextCursor": "eyJ2IjoxfQ.nP3xQk9s",
         *       "rows": [
         *         {
         *           "key": "A-1001",
         *           "changeType": "changed",
         *           "before": {
         *             "sku": "A-1001",
         *             "name": "Kettle",
         *             "price": "24.90"
         *           },
         *           "after": {
         *             "sku": "A-1001",
         *             "name": "Kettle",
         *             "price": "22.90"
         *           },
         *           "changedFields": [
         *             "price"
         *           ]
         *         }
         *       ]
         *     }
         */
        CompareSnapshotRowsResult: {
            /**
             * @description The record.
             * @example src_019a2f6b7c8d7e9fa0b1c2d3e4f50617
             */
            sourceId: string;
            /** @description Items in this page. */
            count: number;
            hasMore: boolean;
            nextCursor: string | null;
            rows: components["schemas"]["DeltaRow"][];
        };
        /**
         * ComparedColumns
         * @example {
         *       "added": [
         *         "weight"
         *       ],
         *       "removed": []
         *     }
         */
        ComparedColumns: {
            /** @description Columns that only the second has. */
            added: string[];
            /** @description Columns that only the first has. */
            removed: string[];
        };
        /**
         * Comparison
         * @example {
         *       "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *       "fromSnapshotId": "snap_019a2f6b9a1b7c2d8e3f405162738495",
         *       "toSnapshotId": "snap_019a346c1d2e7f30a1b2c3d4e5f60718",
         *       "isNoChange": false,
         *       "newCount": 0,
         *       "changedCount": 1,
         *       "deletedCount": 0,
         *       "unchangedCount": 417,
         *       "totalCount": 418,
         *       "summary": {
         *         "newCount": 0,
         *         "changedCount": 1,
         *         "deletedCount": 0,
         *         "unchangedCount": 417,
         *         "totalCount": 418
         *       },
         *       "newKeys": [],
         *       "changedKeys": [
         *         "A-1001"
         *       ],
         *       "deletedKeys": [],
         *       "schemaChange": null
         *     }
         */
        Comparison: {
            sourceId: string;
            fromSnapshotId: string;
            toSnapshotId: string;
            /** @description The two have the same rows. */
            isNoChange: boolean;
            newCount: number;
            changedCount: number;
            deletedCount: number;
            unchangedCount: number;
            /** @description Rows in the snapshot: new, changed and unchanged. */
            totalCount: number;
            summary: components["schemas"]["Counts"];
            /** @description Keys of new rows: 100, or `keysLimit`. */
            newKeys: string[];
            /** @description Keys of changed rows: 100, or `keysLimit`. */
            changedKeys: string[];
            /** @description Keys of deleted rows: 100, or `keysLimit`. */
            deletedKeys: string[];
            /** @description Of the keys in `changedKeys` those of rows that were paired by similarity, each with the key of the row before. Only where there are such pairs. */
            previousKeys?: {
                [key: string]: string;
            };
            schemaChange: components["schemas"]["ComparedColumns"] | null;
        };
        /**
         * Condition
         * @description One operator with its list of arguments, in the form of JSONLogic. Conditions: `and`, `or`; `==`, `!=`, `<`, `<=`, `>`, `>=` of two values; `some` and `all` of `{"var": "rows"}` and a condition on a row. Values of the event: `{"var": "newCount"}`, `changedCount`, `deletedCount`, `unchangedCount`, `totalCount`. Values of a row: `{"var": "changeType"}`, and for a column `{"before": "price"}`, `{"after": "price"}`, `{"change": "price"}`, `{"percent": "price"}`. Also numbers, texts and null. A comparison with a missing value is false, unless with null.
         * @example {
         *       "some": [
         *         {
         *           "var": "rows"
         *         },
         *         {
         *           "<": [
         *             {
         *               "percent": "price"
         *             },
         *             -5
         *           ]
         *         }
         *       ]
         *     }
         */
        Condition: {
            [key: string]: unknown;
        };
        /**
         * ConditionPreview
         * @example {
         *       "since": "2026-01-31T09:00:04.512Z",
         *       "events": 61,
         *       "met": 4,
         *       "undecided": 0,
         *       "isWhole": true
         *     }
         */
        ConditionPreview: {
            /**
             * Format: date-time
             * @description 30 days ago.
             * @example 2026-03-02T09:00:04.512Z
             */
            since: string;
            /** @description Events with changes that pass the filters. */
            events: number;
            /** @description Of these, those that meet the condition. */
            met: number;
            /** @description Of these, those that would be sent because the condition asks for more rows than are looked at. */
            undecided: number;
            /** @description false: there are further events. At most 10000 events, 100000 rows of 256 MiB and 100 records are looked at. */
            isWhole: boolean;
        };
        /**
         * ConnectedClient
         * @example {
         *       "id": "con_019ca8d1f0a27d7c8b7d2b6b4d1f9c33",
         *       "name": "Claude",
         *       "clientId": "https://claude.ai/oauth/claude-code-client-metadata",
         *       "scope": "read",
         *       "createdAt": "2026-03-01T09:52:40.000Z",
         *       "lastUsedAt": "2026-03-02T09:00:04.512Z"
         *     }
         */
        ConnectedClient: {
            /** @description Identifies the client, to disconnect it. */
            id: string;
            /** @description The client’s own name, which is not verified. */
            name: string;
            /** @description The client’s id at the authorization server. */
            clientId: string;
            /**
             * @description The widest scope of its tokens, over MCP only.
             * @enum {string}
             */
            scope: "download" | "read" | "full";
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:04.512Z
             */
            createdAt: string;
            lastUsedAt: string | null;
        };
        /**
         * Counts
         * @example {
         *       "newCount": 0,
         *       "changedCount": 1,
         *       "deletedCount": 0,
         *       "unchangedCount": 417,
         *       "totalCount": 418
         *     }
         */
        Counts: {
            newCount: number;
            changedCount: number;
            deletedCount: number;
            unchangedCount: number;
            /** @description Rows in the snapshot: new, changed and unchanged. */
            totalCount: number;
        };
        /**
         * CreateAccountWebhookRequest
         * @example {
         *       "url": "https://hooks.example/recordwatch"
         *     }
         */
        CreateAccountWebhookRequest: {
            /** @description a complete http or https URL, or for mails `mailto:` and the address of a user of the account */
            url: string;
            secret?: string | null;
            /** @description Which events to send; by default `delta` only. */
            eventTypes?: ("delta" | "check.failed" | "check.recovered" | "check.held" | "schema.changed" | "record.quiet" | "webhook.disabled")[];
            description?: string | null;
            /** @description Which `delta` events to send: all of these must hold. Replaces the previous filters; null: all events. */
            filters?: components["schemas"]["WebhookFilters"] | null;
            /** @description Which of these `delta` events to send, by their counts and the values of their rows; null: all. In the form of JSONLogic. */
            condition?: components["schemas"]["Condition"] | null;
            /**
             * @description The form of bodies: `json`, the members alone; `cloudevents`, as the `data` of a CloudEvent 1.0 in structured mode; `slack`, `teams`, `discord` or `ntfy`, a message for people at the URL of a chat; or `mail`, a mail to a `mailto:` URL.
             * @enum {string}
             */
            format?: "json" | "cloudevents" | "slack" | "teams" | "discord" | "ntfy" | "mail";
            /**
             * @description What the body of a `delta` says of the rows: `keys`, the first 100 of each change type, or `rows`, also the values of those that the filters select, before and after. Messages for people show the first rows with either.
             * @enum {string}
             */
            include?: "keys" | "rows";
            /** @description The largest body with rows, in bytes. `rowsUrl` continues with the rows that do not fit. */
            maxBodyBytes?: number;
            /** @description The columns of each row in the body, with `include: "rows"`; null: all columns. */
            fields?: string[] | null;
            /** @description The events of a record are sent one at a time, in their order: each waits until the one before has ended. */
            ordered?: boolean;
            /**
             * @description With `ordered`, what happens when a delivery has failed in all its attempts: `block`, the later ones of the record wait until it was sent again and arrived, or `skip`, they are sent without it.
             * @enum {string}
             */
            onFailure?: "block" | "skip";
            /** @description After how many hours without a change `record.quiet` is sent. */
            quietHours?: number;
            /** @description After how many failed checks in a row `check.failed` is sent. `check.recovered` is sent only after as many. */
            failingAfter?: number;
            digest?: components["schemas"]["Digest"] | null;
            /** @description A disabled webhook gets no deliveries. */
            enabled?: boolean;
            /** @description The records for which it is: `{"ids": […]}`, `{"labels": {…}}`, or null for all of the account, now and later. */
            sources?: components["schemas"]["WebhookSources"] | null;
        };
        /**
         * CreateApiKeyRequest
         * @example {
         *       "name": "Nightly import",
         *       "scope": "read"
         *     }
         */
        CreateApiKeyRequest: {
            /** @description printable text of at most 200 characters */
            name: string;
            /**
             * Format: date-time
             * @description When the key expires: an ISO 8601 time with an offset, in the future. A key with an expiry can only create keys that expire no later.
             */
            expiresAt?: string;
            /**
             * @description What the key permits: `full` everything; `read` all reads; `download` files of rows; `feed` the Atom feed, also as the parameter `token` of its URL.
             * @enum {string}
             */
            scope: "feed" | "download" | "read" | "full";
        };
        /**
         * CreateDownloadLinkRequest
         * @example {}
         */
        CreateDownloadLinkRequest: {
            /**
             * @description `csv` by default.
             * @enum {string}
             */
            format?: "csv" | "jsonl";
            /**
             * @description Of CSV: `spreadsheet` puts an apostrophe before each cell that a spreadsheet could take for a formula, except numbers, and before those that begin with one; removing it restores the cell. `none` by default.
             * @enum {string}
             */
            escape?: "none" | "spreadsheet";
            /** @description text without NUL, of 1 to 200 characters: rows with it in a value or in the key, ignoring case */
            search?: string;
            /** @description With `search`: search only in this column. Up to 20 times. */
            field?: string[];
            /**
             * @description Operators by column, all of which must hold: `filter[price][gt]=10`. `eq`, `ne`, `in` (repeated for each value), `contains` and `startsWith` compare text exactly. `gt`, `gte`, `lt` and `lte` compare plain numbers exactly as numbers, and everything else as text, byte by byte; they never match an empty cell. `exists`: the row has the column. `empty`: its value is missing, null or empty.
             * @example {
             *       "price": {
             *         "gt": "10"
             *       }
             *     }
             */
            filter?: {
                [key: string]: {
                    /** @description text without NUL, of at most 1,000 characters */
                    eq?: string;
                    /** @description text without NUL, of at most 1,000 characters */
                    ne?: string;
                    /** @description text without NUL, of at most 1,000 characters */
                    gt?: string;
                    /** @description text without NUL, of at most 1,000 characters */
                    gte?: string;
                    /** @description text without NUL, of at most 1,000 characters */
                    lt?: string;
                    /** @description text without NUL, of at most 1,000 characters */
                    lte?: string;
                    /** @description text without NUL, of at most 1,000 characters */
                    contains?: string;
                    /** @description text without NUL, of at most 1,000 characters */
                    startsWith?: string;
                    in?: string[];
                    exists?: boolean;
                    empty?: boolean;
                };
            };
        };
        /**
         * CreateRecordApiKeyRequest
         * @example {
         *       "name": "Shop dashboard",
         *       "scope": "read"
         *     }
         */
        CreateRecordApiKeyRequest: {
            /** @description printable text of at most 200 characters */
            name: string;
            /**
             * Format: date-time
             * @description When the key expires: an ISO 8601 time with an offset, in the future. A key with an expiry can only create keys that expire no later.
             */
            expiresAt?: string;
            /**
             * @description What the key permits: `full` everything; `read` all reads; `download` files of rows; `feed` the Atom feed, also as the parameter `token` of its URL. `full` is for account keys.
             * @enum {string}
             */
            scope: "read" | "download" | "feed";
        };
        /**
         * CreateRecordRequest
         * @example {
         *       "url": "https://shop.example/prices.csv"
         *     }
         */
        CreateRecordRequest: {
            /** @description a complete http or https URL */
            url: string;
            /** @description printable text of at most 200 characters */
            name?: string;
            /** @description lower-case letters and digits in groups joined by single hyphens, at most 63 characters */
            slug?: string;
            format?: ("csv" | "tsv" | "jsonl" | "json") | null;
            delimiter?: string | null;
            rowsPath?: string | null;
            headerRow?: number | null;
            /**
             * @description whether a cell of CSV or TSV may be in quotes (`double`, the default); `none`: a quote is an ordinary character
             * @enum {string}
             */
            quoting?: "double" | "none";
            keyFields?: string[] | null;
            ignoreFields?: string[];
            /**
             * @description By column: when two values of it are the same. All rules at once; `{}` removes them.
             * @example {
             *       "price": {
             *         "as": "number"
             *       },
             *       "name": {
             *         "trim": true,
             *         "ignoreCase": true
             *       }
             *     }
             */
            rules?: {
                [key: string]: components["schemas"]["ColumnRule"];
            };
            pairing?: "similarity" | null;
            /** @description Minutes between two checks; may be a fraction. */
            checkIntervalMinutes?: number;
            labels?: {
                [key: string]: string;
            } | null;
            quietHours?: number | null;
            /**
             * @description How the record authenticates to its origin. Give exactly the fields of the type.
             * @enum {string}
             */
            authType?: "none" | "basic" | "bearer" | "api_key_header" | "api_key_query";
            /** @description a user name without colons and control characters */
            authUsername?: string;
            /** @description a password without control characters */
            authPassword?: string;
            /** @description a token of visible ASCII characters */
            authToken?: string;
            /** @description the name of a header, such as X-Api-Key */
            authHeaderName?: string;
            /** @description the value of a header: visible ASCII characters, with spaces only between them */
            authHeaderValue?: string;
            /** @description the name of a query parameter, not encoded */
            authQueryParam?: string;
            /** @description the value of a query parameter, not encoded */
            authQueryValue?: string;
        };
        /**
         * CreateSessionRequest
         * @example {
         *       "url": "https://shop.example/prices.csv"
         *     }
         */
        CreateSessionRequest: {
            /** @description a complete http or https URL */
            url: string;
            /** @description printable text of at most 200 characters */
            name?: string;
            /** @description lower-case letters and digits in groups joined by single hyphens, at most 63 characters */
            slug?: string;
            format?: ("csv" | "tsv" | "jsonl" | "json") | null;
            delimiter?: string | null;
            rowsPath?: string | null;
            headerRow?: number | null;
            /**
             * @description whether a cell of CSV or TSV may be in quotes (`double`, the default); `none`: a quote is an ordinary character
             * @enum {string}
             */
            quoting?: "double" | "none";
            keyFields?: string[] | null;
            ignoreFields?: string[];
            /**
             * @description By column: when two values of it are the same. All rules at once; `{}` removes them.
             * @example {
             *       "price": {
             *         "as": "number"
             *       },
             *       "name": {
             *         "trim": true,
             *         "ignoreCase": true
             *       }
             *     }
             */
            rules?: {
                [key: string]: components["schemas"]["ColumnRule"];
            };
            pairing?: "similarity" | null;
            /** @description Minutes between two checks; may be a fraction. */
            checkIntervalMinutes?: number;
            labels?: {
                [key: string]: string;
            } | null;
            quietHours?: number | null;
            /**
             * @description How the record authenticates to its origin. Give exactly the fields of the type.
             * @enum {string}
             */
            authType?: "none" | "basic" | "bearer" | "api_key_header" | "api_key_query";
            /** @description a user name without colons and control characters */
            authUsername?: string;
            /** @description a password without control characters */
            authPassword?: string;
            /** @description a token of visible ASCII characters */
            authToken?: string;
            /** @description the name of a header, such as X-Api-Key */
            authHeaderName?: string;
            /** @description the value of a header: visible ASCII characters, with spaces only between them */
            authHeaderValue?: string;
            /** @description the name of a query parameter, not encoded */
            authQueryParam?: string;
            /** @description the value of a query parameter, not encoded */
            authQueryValue?: string;
        };
        /**
         * CreateWebhookRequest
         * @example {
         *       "url": "https://hooks.example/recordwatch"
         *     }
         */
        CreateWebhookRequest: {
            /** @description a complete http or https URL, or for mails `mailto:` and the address of a user of the account */
            url: string;
            secret?: string | null;
            /** @description Which events to send; by default `delta` only. */
            eventTypes?: ("delta" | "check.failed" | "check.recovered" | "check.held" | "schema.changed" | "record.quiet" | "webhook.disabled")[];
            description?: string | null;
            /** @description Which `delta` events to send: all of these must hold. Replaces the previous filters; null: all events. */
            filters?: components["schemas"]["WebhookFilters"] | null;
            /** @description Which of these `delta` events to send, by their counts and the values of their rows; null: all. In the form of JSONLogic. */
            condition?: components["schemas"]["Condition"] | null;
            /**
             * @description The form of bodies: `json`, the members alone; `cloudevents`, as the `data` of a CloudEvent 1.0 in structured mode; `slack`, `teams`, `discord` or `ntfy`, a message for people at the URL of a chat; or `mail`, a mail to a `mailto:` URL.
             * @enum {string}
             */
            format?: "json" | "cloudevents" | "slack" | "teams" | "discord" | "ntfy" | "mail";
            /**
             * @description What the body of a `delta` says of the rows: `keys`, the first 100 of each change type, or `rows`, also the values of those that the filters select, before and after. Messages for people show the first rows with either.
             * @enum {string}
             */
            include?: "keys" | "rows";
            /** @description The largest body with rows, in bytes. `rowsUrl` continues with the rows that do not fit. */
            maxBodyBytes?: number;
            /** @description The columns of each row in the body, with `include: "rows"`; null: all columns. */
            fields?: string[] | null;
            /** @description The events of a record are sent one at a time, in their order: each waits until the one before has ended. */
            ordered?: boolean;
            /**
             * @description With `ordered`, what happens when a delivery has failed in all its attempts: `block`, the later ones of the record wait until it was sent again and arrived, or `skip`, they are sent without it.
             * @enum {string}
             */
            onFailure?: "block" | "skip";
            /** @description After how many hours without a change `record.quiet` is sent. */
            quietHours?: number;
            /** @description After how many failed checks in a row `check.failed` is sent. `check.recovered` is sent only after as many. */
            failingAfter?: number;
            digest?: components["schemas"]["Digest"] | null;
            /** @description A disabled webhook gets no deliveries. */
            enabled?: boolean;
        };
        /**
         * CreatedAccountWebhook
         * @example {
         *       "id": "wh_019a30112233744586a7b8c9d0e1f203",
         *       "url": "https://hooks.example/recordwatch",
         *       "enabled": true,
         *       "disabledReason": null,
         *       "disabledAt": null,
         *       "description": "Prices for the shop window",
         *       "eventTypes": [
         *         "delta",
         *         "check.failed"
         *       ],
         *       "filters": {
         *         "changeTypes": [
         *           "new",
         *           "changed"
         *         ],
         *         "columns": [
         *           "price"
         *         ]
         *       },
         *       "condition": {
         *         "some": [
         *           {
         *             "var": "rows"
         *           },
         *           {
         *             "<": [
         *               {
         *                 "percent": "price"
         *               },
         *               -5
         *             ]
         *           }
         *         ]
         *       },
         *       "format": "json",
         *       "include": "keys",
         *       "maxBodyBytes": 262144,
         *       "fields": null,
         *       "ordered": false,
         *       "onFailure": "block",
         *       "quietHours": 24,
         *       "failingAfter": 1,
         *       "digest": null,
         *       "previousSecretUntil": null,
         *       "failingSince": null,
         *       "createdAt": "2026-03-01T12:42:10.003Z",
         *       "sources": {
         *         "labels": {
         *           "team": "prices"
         *         }
         *       },
         *       "secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
         *     }
         */
        CreatedAccountWebhook: {
            id: string;
            sources: components["schemas"]["WebhookSources"] | null;
            url: string;
            enabled: boolean;
            disabledReason: string | null;
            disabledAt: string | null;
            description: string | null;
            eventTypes: ("delta" | "check.failed" | "check.recovered" | "check.held" | "schema.changed" | "record.quiet" | "webhook.disabled")[];
            filters: components["schemas"]["WebhookFilters"] | null;
            condition: components["schemas"]["Condition"] | null;
            /**
             * @description The form of bodies: `json`, the members alone; `cloudevents`, as the `data` of a CloudEvent 1.0 in structured mode; `slack`, `teams`, `discord` or `ntfy`, a message for people at the URL of a chat; or `mail`, a mail to a `mailto:` URL.
             * @enum {string}
             */
            format: "json" | "cloudevents" | "slack" | "teams" | "discord" | "ntfy" | "mail";
            /**
             * @description What the body of a `delta` says of the rows: `keys`, the first 100 of each change type, or `rows`, also the values of those that the filters select, before and after. Messages for people show the first rows with either.
             * @enum {string}
             */
            include: "keys" | "rows";
            /** @description The largest body with rows, in bytes. `rowsUrl` continues with the rows that do not fit. */
            maxBodyBytes: number;
            fields: string[] | null;
            /** @description The events of a record are sent one at a time, in their order: each waits until the one before has ended. */
            ordered: boolean;
            /**
             * @description With `ordered`, what happens when a delivery has failed in all its attempts: `block`, the later ones of the record wait until it was sent again and arrived, or `skip`, they are sent without it.
             * @enum {string}
             */
            onFailure: "block" | "skip";
            /** @description After how many hours without a change `record.quiet` is sent. */
            quietHours: number;
            /** @description After how many failed checks in a row `check.failed` is sent. `check.recovered` is sent only after as many. */
            failingAfter: number;
            digest: components["schemas"]["Digest"] | null;
            previousSecretUntil: string | null;
            failingSince: string | null;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:04.512Z
             */
            createdAt: string;
            /** @description Shown only here. */
            secret?: string;
        };
        /**
         * CreatedApiKey
         * @example {
         *       "id": "key_019a2f70a1b27c3d94e5f60718293a4b",
         *       "name": "Nightly import",
         *       "scope": "read",
         *       "kind": "account",
         *       "prefix": "cat_live_",
         *       "last4": "x2Rk",
         *       "createdAt": "2026-03-01T09:50:00.000Z",
         *       "lastUsedAt": null,
         *       "expiresAt": null,
         *       "revokedAt": null,
         *       "key": "cat_live_7dPq3WnLz0YkVb8RtXs5MfGhJc1AeU9o2Bx2Rk"
         *     }
         */
        CreatedApiKey: {
            /** @description Identifies the key, to revoke it. */
            id: string;
            name: string;
            /** @enum {string} */
            scope: "feed" | "download" | "read" | "full";
            /**
             * @description `account`: for all records of the account; `record`: for one of them.
             * @enum {string}
             */
            kind: "account" | "record";
            /** @description The beginning of the key; with `last4` it tells keys apart. */
            prefix: string;
            last4: string;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:04.512Z
             */
            createdAt: string;
            lastUsedAt: string | null;
            expiresAt: string | null;
            revokedAt: string | null;
            /** @description The key itself. Shown only here. */
            key?: string;
        };
        /**
         * CreatedSession
         * @example {
         *       "token": "cat_eph_4kT9vXq2LmZ8sRb1WcYd7NfHj3PgQa0VB5xE",
         *       "expiresAt": "2026-03-02T09:41:12.205Z",
         *       "source": {
         *         "id": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *         "slug": "shop-prices",
         *         "name": "Shop prices",
         *         "url": "https://shop.example/prices.csv",
         *         "tier": "anonymous",
         *         "status": "active",
         *         "format": "csv",
         *         "delimiter": ",",
         *         "rowsPath": null,
         *         "headerRow": 1,
         *         "quoting": "double",
         *         "keyFields": [
         *           "sku"
         *         ],
         *         "keySource": "detected",
         *         "keyEvidence": {
         *           "candidate": "sku"
         *         },
         *         "ignoreFields": [],
         *         "rules": {
         *           "price": {
         *             "as": "number"
         *           }
         *         },
         *         "pairing": null,
         *         "quietHours": null,
         *         "isRekeyPending": false,
         *         "checkIntervalMinutes": 60,
         *         "labels": {
         *           "team": "pricing"
         *         },
         *         "auth": {
         *           "type": "none",
         *           "configured": false
         *         },
         *         "lastCheckedAt": "2026-03-02T09:00:04.512Z",
         *         "nextCheckAt": "2026-03-02T10:00:00.000Z",
         *         "lastOutcome": "changed",
         *         "isBaseline": false,
         *         "lastError": null,
         *         "heldCheckId": null,
         *         "consecutiveFailures": 0,
         *         "failingSince": null,
         *         "latestSnapshotId": "snap_019a346c1d2e7f30a1b2c3d4e5f60718",
         *         "totalRows": 418,
         *         "createdAt": "2026-03-01T09:41:12.205Z"
         *       },
         *       "mcpUrl": "https://recordwatch.example/v1/mcp?token=cat_eph_4kT9vXq2LmZ8sRb1WcYd7NfHj3PgQa0VB5xE"
         *     }
         */
        CreatedSession: {
            /** @description The credential of the session. Shown only here. */
            token: string;
            /**
             * Format: date-time
             * @description When the token expires and the record is erased, unless it is kept before.
             * @example 2026-03-02T09:00:04.512Z
             */
            expiresAt: string;
            source: components["schemas"]["Record"];
            /** @description For MCP clients that cannot send headers. It contains the token: anyone with it controls the record. */
            mcpUrl: string;
        };
        /**
         * CreatedWebhook
         * @example {
         *       "id": "wh_019a30112233744586a7b8c9d0e1f203",
         *       "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *       "url": "https://hooks.example/recordwatch",
         *       "enabled": true,
         *       "disabledReason": null,
         *       "disabledAt": null,
         *       "description": "Prices for the shop window",
         *       "eventTypes": [
         *         "delta",
         *         "check.failed"
         *       ],
         *       "filters": {
         *         "changeTypes": [
         *           "new",
         *           "changed"
         *         ],
         *         "columns": [
         *           "price"
         *         ]
         *       },
         *       "condition": {
         *         "some": [
         *           {
         *             "var": "rows"
         *           },
         *           {
         *             "<": [
         *               {
         *                 "percent": "price"
         *               },
         *               -5
         *             ]
         *           }
         *         ]
         *       },
         *       "format": "json",
         *       "include": "keys",
         *       "maxBodyBytes": 262144,
         *       "fields": null,
         *       "ordered": false,
         *       "onFailure": "block",
         *       "quietHours": 24,
         *       "failingAfter": 1,
         *       "digest": null,
         *       "previousSecretUntil": null,
         *       "failingSince": null,
         *       "createdAt": "2026-03-01T12:42:10.003Z",
         *       "secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
         *     }
         */
        CreatedWebhook: {
            id: string;
            sourceId: string;
            url: string;
            enabled: boolean;
            disabledReason: string | null;
            disabledAt: string | null;
            description: string | null;
            eventTypes: ("delta" | "check.failed" | "check.recovered" | "check.held" | "schema.changed" | "record.quiet" | "webhook.disabled")[];
            filters: components["schemas"]["WebhookFilters"] | null;
            condition: components["schemas"]["Condition"] | null;
            /**
             * @description The form of bodies: `json`, the members alone; `cloudevents`, as the `data` of a CloudEvent 1.0 in structured mode; `slack`, `teams`, `discord` or `ntfy`, a message for people at the URL of a chat; or `mail`, a mail to a `mailto:` URL.
             * @enum {string}
             */
            format: "json" | "cloudevents" | "slack" | "teams" | "discord" | "ntfy" | "mail";
            /**
             * @description What the body of a `delta` says of the rows: `keys`, the first 100 of each change type, or `rows`, also the values of those that the filters select, before and after. Messages for people show the first rows with either.
             * @enum {string}
             */
            include: "keys" | "rows";
            /** @description The largest body with rows, in bytes. `rowsUrl` continues with the rows that do not fit. */
            maxBodyBytes: number;
            fields: string[] | null;
            /** @description The events of a record are sent one at a time, in their order: each waits until the one before has ended. */
            ordered: boolean;
            /**
             * @description With `ordered`, what happens when a delivery has failed in all its attempts: `block`, the later ones of the record wait until it was sent again and arrived, or `skip`, they are sent without it.
             * @enum {string}
             */
            onFailure: "block" | "skip";
            /** @description After how many hours without a change `record.quiet` is sent. */
            quietHours: number;
            /** @description After how many failed checks in a row `check.failed` is sent. `check.recovered` is sent only after as many. */
            failingAfter: number;
            digest: components["schemas"]["Digest"] | null;
            previousSecretUntil: string | null;
            failingSince: string | null;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:04.512Z
             */
            createdAt: string;
            /** @description Shown only here. */
            secret?: string;
        };
        /**
         * Delivery
         * @example {
         *       "id": "dlv_019a346c20117b3c8d4e5f6071829304",
         *       "webhookId": "wh_019a30112233744586a7b8c9d0e1f203",
         *       "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *       "eventType": "delta",
         *       "deltaEventId": "evt_019a346c1d2e7a4b9c8d7e6f50413223",
         *       "condition": "met",
         *       "isTest": false,
         *       "status": "delivered",
         *       "attemptCount": 1,
         *       "createdAt": "2026-03-02T09:00:04.512Z",
         *       "nextAttemptAt": null,
         *       "waitsFor": null,
         *       "finishedAt": "2026-03-02T09:00:04.650Z",
         *       "payload": "{\"event\":\"delta\",\"type\":\"delta\",\"timestamp\":\"2026-03-02T09:00:04.512Z\",\"webhookId\":\"wh_019a30112233744586a7b8c9d0e1f203\",\"sourceId\":\"src_019a2f6b7c8d7e9fa0b1c2d3e4f50617\",\"sourceName\":\"Shop prices\",\"sourceSlug\":\"shop-prices\",\"deltaEventId\":\"evt_019a346c1d2e7a4b9c8d7e6f50413223\",\"snapshotId\":\"snap_019a346c1d2e7f30a1b2c3d4e5f60718\",\"detectedAt\":\"2026-03-02T09:00:04.512Z\",\"summary\":{\"newCount\":0,\"changedCount\":1,\"deletedCount\":0,\"unchangedCount\":417,\"totalCount\":418},\"newKeys\":[],\"changedKeys\":[\"A-1001\"],\"deletedKeys\":[],\"truncated\":{\"newKeys\":false,\"changedKeys\":false,\"deletedKeys\":false},\"rowsUrl\":\"https://recordwatch.example/v1/sources/src_019a2f6b7c8d7e9fa0b1c2d3e4f50617/delta/evt_019a346c1d2e7a4b9c8d7e6f50413223/rows\"}",
         *       "attempts": [
         *         {
         *           "number": 1,
         *           "startedAt": "2026-03-02T09:00:04.561Z",
         *           "durationMs": 87,
         *           "statusCode": 204,
         *           "errorCode": null,
         *           "response": ""
         *         }
         *       ]
         *     }
         */
        Delivery: {
            /** @description The header `webhook-id`: the same on every attempt. */
            id: string;
            webhookId: string;
            /** @description Of a `digest`: the record with the newest event. */
            sourceId: string;
            /**
             * @description `digest`: a message about several events.
             * @enum {string}
             */
            eventType: "delta" | "check.failed" | "check.recovered" | "check.held" | "schema.changed" | "record.quiet" | "webhook.disabled" | "digest";
            deltaEventId: string | null;
            condition: ("met" | "undecided") | null;
            /** @description A requested example: nothing has happened. */
            isTest: boolean;
            /**
             * @description `pending`: waits for an attempt; `delivered`; `failed`: no attempts left; `cancelled`: its webhook was disabled before.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed" | "cancelled";
            /** @description All attempts, including those that are not shown. */
            attemptCount: number;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:04.512Z
             */
            createdAt: string;
            nextAttemptAt: string | null;
            waitsFor: string | null;
            finishedAt: string | null;
            /** @description The body as text, byte for byte as an attempt now would send it. Earlier attempts sent the same, unless the record was renamed, or the service was updated or moved since. Only in the response for one delivery. */
            payload?: string;
            /** @description Oldest first: the last ten in a list, the last 50 in the response for one delivery. */
            attempts: components["schemas"]["Attempt"][];
        };
        /**
         * DeltaEvent
         * @example {
         *       "id": "evt_019a346c1d2e7a4b9c8d7e6f50413223",
         *       "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *       "number": 24,
         *       "snapshotId": "snap_019a346c1d2e7f30a1b2c3d4e5f60718",
         *       "previousSnapshotId": "snap_019a2f6b9a1b7c2d8e3f405162738495",
         *       "detectedAt": "2026-03-02T09:00:04.512Z",
         *       "isNoChange": false,
         *       "newCount": 0,
         *       "changedCount": 1,
         *       "deletedCount": 0,
         *       "unchangedCount": 417,
         *       "totalCount": 418,
         *       "summary": {
         *         "newCount": 0,
         *         "changedCount": 1,
         *         "deletedCount": 0,
         *         "unchangedCount": 417,
         *         "totalCount": 418
         *       },
         *       "newKeys": [],
         *       "changedKeys": [
         *         "A-1001"
         *       ],
         *       "deletedKeys": [],
         *       "changedColumns": [
         *         {
         *           "field": "price",
         *           "rows": 1
         *         }
         *       ],
         *       "schemaChange": null,
         *       "rekeyed": false
         *     }
         */
        DeltaEvent: {
            id: string;
            sourceId: string;
            /** @description Counts the recorded checks of the record, from 1. */
            number: number;
            /** @description The version of the data after it. */
            snapshotId: string;
            previousSnapshotId: string | null;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:04.512Z
             */
            detectedAt: string;
            /** @description Nothing changed. Also true of the first event, the baseline. */
            isNoChange: boolean;
            newCount: number;
            changedCount: number;
            deletedCount: number;
            unchangedCount: number;
            /** @description Rows in the snapshot: new, changed and unchanged. */
            totalCount: number;
            summary: components["schemas"]["Counts"];
            /** @description Keys of new rows: 100, or `keysLimit`. */
            newKeys: string[];
            /** @description Keys of changed rows: 100, or `keysLimit`. */
            changedKeys: string[];
            /** @description Keys of deleted rows: 100, or `keysLimit`. */
            deletedKeys: string[];
            /** @description Of the keys in `changedKeys` those of rows that were paired by similarity, each with the key of the row before. Only where there are such pairs. */
            previousKeys?: {
                [key: string]: string;
            };
            changedColumns: components["schemas"]["ChangedColumn"][] | null;
            schemaChange: components["schemas"]["SchemaChange"] | null;
            /** @description The data was read again with other key or ignored fields. */
            rekeyed: boolean;
            /** @description Only with the parameter `firstRows`. The event’s counts say how many rows there are. */
            firstRows?: components["schemas"]["FirstRow"][];
        };
        /**
         * DeltaPayload
         * @example {
         *       "event": "delta",
         *       "type": "delta",
         *       "timestamp": "2026-03-02T09:00:04.512Z",
         *       "webhookId": "wh_019a30112233744586a7b8c9d0e1f203",
         *       "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *       "sourceName": "Shop prices",
         *       "sourceSlug": "shop-prices",
         *       "deltaEventId": "evt_019a346c1d2e7a4b9c8d7e6f50413223",
         *       "snapshotId": "snap_019a346c1d2e7f30a1b2c3d4e5f60718",
         *       "detectedAt": "2026-03-02T09:00:04.512Z",
         *       "summary": {
         *         "newCount": 0,
         *         "changedCount": 1,
         *         "deletedCount": 0,
         *         "unchangedCount": 417,
         *         "totalCount": 418
         *       },
         *       "newKeys": [],
         *       "changedKeys": [
         *         "A-1001"
         *       ],
         *       "deletedKeys": [],
         *       "truncated": {
         *         "newKeys": false,
         *         "changedKeys": false,
         *         "deletedKeys": false
         *       },
         *       "rowsUrl": "https://recordwatch.example/v1/sources/src_019a2f6b7c8d7e9fa0b1c2d3e4f50617/delta/evt_019a346c1d2e7a4b9c8d7e6f50413223/rows"
         *     }
         */
        DeltaPayload: {
            /** @constant */
            event: "delta";
            /**
             * @description The same as `event`, under the name of Standard Webhooks.
             * @constant
             */
            type: "delta";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-02T09:00:04.512Z
             */
            timestamp: string;
            webhookId: string;
            /** @description The record. */
            sourceId: string;
            sourceName: string;
            sourceSlug: string;
            /** @description true: a requested example. Real events omit it. */
            isTest?: boolean;
            /** @description Remember it to process each event once. */
            deltaEventId: string;
            /** @description The version of the data with the changes. */
            snapshotId: string;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:04.512Z
             */
            detectedAt: string;
            /**
             * @description What the webhook’s condition said. `undecided`: it depends on rows beyond those that are looked at. Only with a condition.
             * @enum {string}
             */
            condition?: "met" | "undecided";
            summary: components["schemas"]["Counts"];
            /** @description Row keys of new rows, 100 at most: the event's rows list all of them. */
            newKeys: string[];
            /** @description Row keys of changed rows, 100 at most: the event's rows list all of them. */
            changedKeys: string[];
            /** @description Row keys of deleted rows, 100 at most: the event's rows list all of them. */
            deletedKeys: string[];
            /** @description Of the keys in `changedKeys` those of rows that were paired by similarity, each with the key of the row before. Only where there are such pairs. */
            previousKeys?: {
                [key: string]: string;
            };
            changedColumns?: components["schemas"]["ChangedColumn"][] | null;
            truncated: components["schemas"]["TruncatedKeys"];
            /** @description The URL of the event’s rows in the API. With `include: "rows"`: of those that the webhook selects; if `truncated.rows` is true, of those after the last one in `rows`. */
            rowsUrl: string;
            /** @description Only with `include: "rows"`: the first rows that the webhook selects, by key, as many as fit into `maxBodyBytes`. */
            rows?: components["schemas"]["DeltaRow"][];
        };
        /**
         * DeltaRow
         * @example {
         *       "key": "A-1001",
         *       "changeType": "changed",
         *       "before": {
         *         "sku": "A-1001",
         *         "name": "Kettle",
         *         "price": "24.90"
         *       },
         *       "after": {
         *         "sku": "A-1001",
         *         "name": "Kettle",
         *         "price": "22.90"
         *       },
         *       "changedFields": [
         *         "price"
         *       ]
         *     }
         */
        DeltaRow: {
            key: string;
            /** @enum {string} */
            changeType: "new" | "changed" | "deleted";
            before: components["schemas"]["RowData"] | null;
            after: components["schemas"]["RowData"] | null;
            /** @description For a changed row; empty for the others. */
            changedFields: string[];
            /**
             * @description Of a changed row without a key: a deleted and a new row that are alike.
             * @enum {string}
             */
            pairedBy?: "similarity";
            /** @description Its key before; `key` is the new one. */
            previousKey?: string;
        };
        /**
         * Digest
         * @description When the events since the last digest are sent, as one message. Only for messages for people, and without `ordered`.
         * @example {
         *       "every": "day",
         *       "at": "08:00",
         *       "timeZone": "Europe/Berlin"
         *     }
         */
        Digest: {
            /**
             * @description `hour`: at each full hour; `day`: once a day.
             * @enum {string}
             */
            every: "hour" | "day";
            /** @description With `day`, the time of day, such as 08:00, which is the default. */
            at?: string;
            /** @description With `day`, the IANA time zone of that time, such as Europe/Berlin; UTC by default. */
            timeZone?: string;
        };
        /**
         * DownloadLink
         * @example {
         *       "url": "https://recordwatch.example/v1/downloads?token=mQ3vXhT0rWb8yNfK2sLdUe7pJzAgCc51",
         *       "expiresAt": "2026-03-02T09:15:30.000Z"
         *     }
         */
        DownloadLink: {
            /** @description The link. */
            url: string;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:04.512Z
             */
            expiresAt: string;
        };
        /**
         * EventsPreview
         * @example {
         *       "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *       "ignoreFields": [],
         *       "rules": {
         *         "price": {
         *           "as": "number",
         *           "tolerance": "1%"
         *         }
         *       },
         *       "pairing": null,
         *       "events": [
         *         {
         *           "deltaEventId": "evt_019a346c1d2e7a4b9c8d7e6f50413223",
         *           "detectedAt": "2026-03-02T09:00:04.512Z",
         *           "summary": {
         *             "newCount": 0,
         *             "changedCount": 3,
         *             "deletedCount": 0
         *           },
         *           "rowsRead": 3,
         *           "underRules": {
         *             "newCount": 0,
         *             "changedCount": 1,
         *             "deletedCount": 0
         *           },
         *           "isReported": true
         *         }
         *       ],
         *       "isWhole": true
         *     }
         */
        EventsPreview: {
            sourceId: string;
            ignoreFields: string[];
            /** @description By column: when two values of it are the same. */
            rules: {
                [key: string]: components["schemas"]["ColumnRule"];
            };
            pairing: "similarity" | null;
            /** @description Newest first. */
            events: components["schemas"]["ReplayedEvent"][];
            /** @description Whether these are surely all events that there would have been since the oldest of them. false: what is asked for may be stricter than what was in force, and checks that reported nothing keep no rows; or an event was left out. */
            isWhole: boolean;
        };
        /**
         * FailedCheckError
         * @description Why it failed.
         * @example {
         *       "code": "http_error",
         *       "detail": "The origin answered with an error status. It was 503."
         *     }
         */
        FailedCheckError: {
            /** @enum {string} */
            code: "url_not_allowed" | "credentials_unreadable" | "origin_unreachable" | "origin_timeout" | "http_error" | "too_many_redirects" | "redirect_not_allowed" | "body_too_large" | "body_truncated" | "empty_body" | "unsupported_encoding" | "encoding_invalid" | "unexpected_content" | "header_unclear" | "malformed_body" | "invalid_character" | "missing_key_field" | "too_many_rows" | "too_many_columns" | "row_too_large" | "body_not_kept" | "internal" | "key_repeated" | "sharp_drop";
            detail: string;
        };
        /**
         * FeedEvent
         * @example {
         *       "cursor": "eyJ2IjoxfQ.nP3xQk9s",
         *       "event": "delta",
         *       "type": "delta",
         *       "timestamp": "2026-03-02T09:00:04.512Z",
         *       "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *       "sourceName": "Shop prices",
         *       "sourceSlug": "shop-prices",
         *       "labels": {
         *         "team": "pricing"
         *       },
         *       "deltaEventId": "evt_019a346c1d2e7a4b9c8d7e6f50413223",
         *       "snapshotId": "snap_019a346c1d2e7f30a1b2c3d4e5f60718",
         *       "detectedAt": "2026-03-02T09:00:04.512Z",
         *       "summary": {
         *         "newCount": 0,
         *         "changedCount": 1,
         *         "deletedCount": 0,
         *         "unchangedCount": 417,
         *         "totalCount": 418
         *       },
         *       "newKeys": [],
         *       "changedKeys": [
         *         "A-1001"
         *       ],
         *       "deletedKeys": [],
         *       "truncated": {
         *         "newKeys": false,
         *         "changedKeys": false,
         *         "deletedKeys": false
         *       },
         *       "rowsUrl": "https://recordwatch.example/v1/sources/src_019a2f6b7c8d7e9fa0b1c2d3e4f50617/delta/evt_019a346c1d2e7a4b9c8d7e6f50413223/rows"
         *     }
         */
        FeedEvent: {
            /** @description Send it as `since` to continue after this event. */
            cursor: string;
            /** @enum {string} */
            event: "delta" | "check.failed" | "check.recovered" | "check.held" | "record.quiet";
            /**
             * @description The same as `event`.
             * @enum {string}
             */
            type: "delta" | "check.failed" | "check.recovered" | "check.held" | "record.quiet";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-02T09:00:04.512Z
             */
            timestamp: string;
            /** @description The record. */
            sourceId: string;
            sourceName: string;
            sourceSlug: string;
            labels: {
                [key: string]: string;
            };
            deltaEventId: string | null;
            /** @description Only of `delta` and `record.quiet`: the version of the data with the changes, or that is still the latest. */
            snapshotId?: string;
            /**
             * Format: date-time
             * @description Only of `delta`.
             * @example 2026-03-02T09:00:04.512Z
             */
            detectedAt?: string;
            summary?: components["schemas"]["Counts"];
            /** @description Only of `delta`. Row keys of new rows. */
            newKeys?: string[];
            /** @description Only of `delta`. Row keys of changed rows. */
            changedKeys?: string[];
            /** @description Only of `delta`. Row keys of deleted rows. */
            deletedKeys?: string[];
            /** @description Of the keys in `changedKeys` those of rows that were paired by similarity, each with the key of the row before. Only where there are such pairs. */
            previousKeys?: {
                [key: string]: string;
            };
            changedColumns?: components["schemas"]["ChangedColumn"][] | null;
            truncated?: components["schemas"]["TruncatedFeedKeys"];
            /**
             * @description Only of `delta`. What the `condition` of the call says of it; `undecided`: its rows do not tell.
             * @enum {string}
             */
            condition?: "met" | "undecided";
            /** @description Only of `delta`. The URL of the event’s rows in the API. */
            rowsUrl?: string;
            /** @description The check that caused the event. Not of `delta` and `record.quiet`. */
            checkId?: string;
            /**
             * Format: date-time
             * @description Only of `check.failed` and `check.recovered`: when the first of the failed checks was made.
             * @example 2026-03-02T09:00:04.512Z
             */
            failingSince?: string;
            error?: components["schemas"]["FeedEventError"];
            /**
             * Format: date-time
             * @description Only of `record.quiet`. When the version of the data was found.
             * @example 2026-03-02T09:00:04.512Z
             */
            unchangedSince?: string;
            /**
             * Format: date-time
             * @description Only of `record.quiet`. When a check last found no other.
             * @example 2026-03-02T09:00:04.512Z
             */
            checkedAt?: string;
            /** @description Only of `record.quiet`. The hours that the record asked for. */
            quietHours?: number;
        };
        /**
         * FeedEventError
         * @description Only of `check.failed` and `check.held`: why the check failed or is held.
         * @example {
         *       "code": "http_error",
         *       "detail": "The origin answered with an error status. It was 503."
         *     }
         */
        FeedEventError: {
            /** @enum {string} */
            code: "url_not_allowed" | "credentials_unreadable" | "origin_unreachable" | "origin_timeout" | "http_error" | "too_many_redirects" | "redirect_not_allowed" | "body_too_large" | "body_truncated" | "empty_body" | "unsupported_encoding" | "encoding_invalid" | "unexpected_content" | "header_unclear" | "malformed_body" | "invalid_character" | "missing_key_field" | "too_many_rows" | "too_many_columns" | "row_too_large" | "body_not_kept" | "internal" | "key_repeated" | "sharp_drop";
            detail: string;
        };
        /**
         * FieldError
         * @example {
         *       "pointer": "/url",
         *       "code": "required",
         *       "detail": "is required"
         *     }
         */
        FieldError: {
            /** @description A JSON pointer (RFC 6901) into the body, or the name of a parameter. */
            pointer: string;
            /** @description The fault, for programs: `required`, `invalid_type`, `too_long`… */
            code: string;
            /** @description The fault, for people. */
            detail: string;
        };
        /**
         * FirstRow
         * @example {
         *       "key": "A-1001",
         *       "changeType": "changed",
         *       "values": [
         *         {
         *           "field": "price",
         *           "before": "3.20",
         *           "after": "3.50",
         *           "isCut": false
         *         }
         *       ],
         *       "moreFields": 0
         *     }
         */
        FirstRow: {
            key: string;
            /** @enum {string} */
            changeType: "new" | "changed" | "deleted";
            /**
             * @description As in DeltaRow.
             * @enum {string}
             */
            pairedBy?: "similarity";
            /** @description The first 3 columns that changed; of a new or deleted row its first columns. */
            values: components["schemas"]["FirstValue"][];
            moreFields: number | null;
        };
        /**
         * FirstValue
         * @example {
         *       "field": "price",
         *       "before": "3.20",
         *       "after": "3.50",
         *       "isCut": false
         *     }
         */
        FirstValue: {
            field: string;
            /** @description The value before, as the origin wrote it; absent if there was none. */
            before?: unknown;
            /** @description The value after, as the origin wrote it; absent if there was none. */
            after?: unknown;
            /** @description A value is longer than 200 characters. Its beginning is shown, as text. */
            isCut: boolean;
        };
        /**
         * GetRecordActivityResult
         * @example {
         *       "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *       "step": "hour",
         *       "since": "2026-03-02T09:00:04.512Z",
         *       "until": "2026-03-02T09:00:04.512Z",
         *       "buckets": [
         *         {
         *           "start": "2026-03-02T09:00:04.512Z",
         *           "newCount": 1,
         *           "changedCount": 1,
         *           "deletedCount": 1,
         *           "checks": 1,
         *           "failed": 1,
         *           "held": 1
         *         }
         *       ]
         *     }
         */
        GetRecordActivityResult: {
            /**
             * @description The record.
             * @example src_019a2f6b7c8d7e9fa0b1c2d3e4f50617
             */
            sourceId: string;
            /** @enum {string} */
            step: "hour" | "day";
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:04.512Z
             */
            since: string;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:04.512Z
             */
            until: string;
            buckets: components["schemas"]["ActivityBucket"][];
        };
        /**
         * GetRowHistoryResult
         * @example {
         *       "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *       "count": 1,
         *       "hasMore": false,
         *       "nextCursor": null,
         *       "key": "A-1001",
         *       "rows": [
         *         {
         *           "snapshotId": "snap_019a346c1d2e7f30a1b2c3d4e5f60718",
         *           "deltaEventId": "evt_019a346c1d2e7a4b9c8d7e6f50413223",
         *           "detectedAt": "2026-03-02T09:00:04.512Z",
         *           "key": "A-1001",
         *           "changeType": "changed",
         *           "before": {
         *             "sku": "A-1001",
         *             "name": "Kettle",
         *             "price": "24.90"
         *           },
         *           "after": {
         *             "sku": "A-1001",
         *             "name": "Kettle",
         *             "price": "22.90"
         *           },
         *           "changedFields": [
         *             "price"
         *           ]
         *         }
         *       ]
         *     }
         */
        GetRowHistoryResult: {
            /**
             * @description The record.
             * @example src_019a2f6b7c8d7e9fa0b1c2d3e4f50617
             */
            sourceId: string;
            /** @description Items in this page. */
            count: number;
            hasMore: boolean;
            nextCursor: string | null;
            key: string;
            rows: components["schemas"]["RowHistoryEntry"][];
        };
        /**
         * HeldChanges
         * @description What a held check would have recorded, compared with the snapshot at that time.
         * @example {
         *       "newCount": 0,
         *       "changedCount": 0,
         *       "deletedCount": 407,
         *       "totalCount": 11,
         *       "newKeys": [],
         *       "changedKeys": [],
         *       "deletedKeys": [
         *         "A-1012",
         *         "A-1013"
         *       ]
         *     }
         */
        HeldChanges: {
            newCount: number;
            changedCount: number;
            deletedCount: number;
            /** @description Rows in the held body. */
            totalCount: number;
            /** @description The first 20 row keys of new rows. */
            newKeys: string[];
            /** @description The first 20 row keys of changed rows. */
            changedKeys: string[];
            /** @description The first 20 row keys of deleted rows. */
            deletedKeys: string[];
        };
        /**
         * HeldCheckError
         * @description Why it is held.
         * @example {
         *       "code": "sharp_drop",
         *       "detail": "Far fewer rows than last time; waiting for a second check to confirm."
         *     }
         */
        HeldCheckError: {
            /** @enum {string} */
            code: "url_not_allowed" | "credentials_unreadable" | "origin_unreachable" | "origin_timeout" | "http_error" | "too_many_redirects" | "redirect_not_allowed" | "body_too_large" | "body_truncated" | "empty_body" | "unsupported_encoding" | "encoding_invalid" | "unexpected_content" | "header_unclear" | "malformed_body" | "invalid_character" | "missing_key_field" | "too_many_rows" | "too_many_columns" | "row_too_large" | "body_not_kept" | "internal" | "key_repeated" | "sharp_drop";
            detail: string;
        };
        /**
         * KeepRecordRequest
         * @example {
         *       "token": "cat_eph_4kT9vXq2LmZ8sRb1WcYd7NfHj3PgQa0VB5xE"
         *     }
         */
        KeepRecordRequest: {
            /** @description the token of the session */
            token: string;
            /** @description printable text of at most 200 characters */
            name?: string;
            /** @description lower-case letters and digits in groups joined by single hyphens, at most 63 characters */
            slug?: string;
        };
        /**
         * KeyRequest
         * @example {
         *       "userCode": "WDJB-MJHT",
         *       "machine": "ada-laptop",
         *       "address": "203.0.113.7",
         *       "createdAt": "2026-03-02T09:00:04.512Z",
         *       "expiresAt": "2026-03-02T09:10:04.000Z"
         *     }
         */
        KeyRequest: {
            /** @description The code that the program shows: two groups of four capital letters, joined by a hyphen. */
            userCode: string;
            /** @description the name of the machine: at most 63 letters, digits, dots, hyphens and underscores */
            machine: string;
            /** @description The IP address from which the program asked. */
            address: string;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:04.512Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:04.512Z
             */
            expiresAt: string;
        };
        /**
         * LastDelivery
         * @example {
         *       "id": "dlv_019a346c20117b3c8d4e5f6071829304",
         *       "status": "delivered",
         *       "createdAt": "2026-03-02T09:00:04.512Z",
         *       "finishedAt": "2026-03-02T09:00:04.512Z"
         *     }
         */
        LastDelivery: {
            id: string;
            /** @enum {string} */
            status: "pending" | "delivered" | "failed" | "cancelled";
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:04.512Z
             */
            createdAt: string;
            finishedAt: string | null;
        };
        /**
         * ListAccountDeliveriesResult
         * @example {
         *       "count": 1,
         *       "hasMore": true,
         *       "nextCursor": "eyJ2IjoxfQ.nP3xQk9s",
         *       "deliveries": [
         *         {
         *           "id": "dlv_019a346c20117b3c8d4e5f6071829304",
         *           "webhookId": "wh_019a30112233744586a7b8c9d0e1f203",
         *           "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *           "eventType": "delta",
         *           "deltaEventId": "evt_019a346c1d2e7a4b9c8d7e6f50413223",
         *           "condition": "met",
         *           "isTest": false,
         *           "status": "delivered",
         *           "attemptCount": 1,
         *           "createdAt": "2026-03-02T09:00:04.512Z",
         *           "nextAttemptAt": null,
         *           "waitsFor": null,
         *           "finishedAt": "2026-03-02T09:00:04.650Z",
         *           "payload": "{\"event\":\"delta\",\"type\":\"delta\",\"timestamp\":\"2026-03-02T09:00:04.512Z\",\"webhookId\":\"wh_019a30112233744586a7b8c9d0e1f203\",\"sourceId\":\"src_019a2f6b7c8d7e9fa0b1c2d3e4f50617\",\"sourceName\":\"Shop prices\",\"sourceSlug\":\"shop-prices\",\"deltaEventId\":\"evt_019a346c1d2e7a4b9c8d7e6f50413223\",\"snapshotId\":\"snap_019a346c1d2e7f30a1b2c3d4e5f60718\",\"detectedAt\":\"2026-03-02T09:00:04.512Z\",\"summary\":{\"newCount\":0,\"changedCount\":1,\"deletedCount\":0,\"unchangedCount\":417,\"totalCount\":418},\"newKeys\":[],\"changedKeys\":[\"A-1001\"],\"deletedKeys\":[],\"truncated\":{\"newKeys\":false,\"changedKeys\":false,\"deletedKeys\":false},\"rowsUrl\":\"https://recordwatch.example/v1/sources/src_019a2f6b7c8d7e9fa0b1c2d3e4f50617/delta/evt_019a346c1d2e7a4b9c8d7e6f50413223/rows\"}",
         *           "attempts": [
         *             {
         *               "number": 1,
         *               "startedAt": "2026-03-02T09:00:04.561Z",
         *               "durationMs": 87,
         *               "statusCode": 204,
         *               "errorCode": null,
         *               "response": ""
         *             }
         *           ]
         *         }
         *       ]
         *     }
         */
        ListAccountDeliveriesResult: {
            /** @description Items in this page. */
            count: number;
            hasMore: boolean;
            nextCursor: string | null;
            deliveries: components["schemas"]["Delivery"][];
        };
        /**
         * ListAccountWebhooksResult
         * @example {
         *       "count": 1,
         *       "hasMore": true,
         *       "nextCursor": "eyJ2IjoxfQ.nP3xQk9s",
         *       "webhooks": [
         *         {
         *           "id": "wh_019a30112233744586a7b8c9d0e1f203",
         *           "url": "https://hooks.example/recordwatch",
         *           "enabled": true,
         *           "disabledReason": null,
         *           "disabledAt": null,
         *           "description": "Prices for the shop window",
         *           "eventTypes": [
         *             "delta",
         *             "check.failed"
         *           ],
         *           "filters": {
         *             "changeTypes": [
         *               "new",
         *               "changed"
         *             ],
         *             "columns": [
         *               "price"
         *             ]
         *           },
         *           "condition": {
         *             "some": [
         *               {
         *                 "var": "rows"
         *               },
         *               {
         *                 "<": [
         *                   {
         *                     "percent": "price"
         *                   },
         *                   -5
         *                 ]
         *               }
         *             ]
         *           },
         *           "format": "json",
         *           "include": "keys",
         *           "maxBodyBytes": 262144,
         *           "fields": null,
         *           "ordered": false,
         *           "onFailure": "block",
         *           "quietHours": 24,
         *           "failingAfter": 1,
         *           "digest": null,
         *           "previousSecretUntil": null,
         *           "failingSince": null,
         *           "createdAt": "2026-03-01T12:42:10.003Z",
         *           "sources": {
         *             "labels": {
         *               "team": "prices"
         *             }
         *           }
         *         }
         *       ]
         *     }
         */
        ListAccountWebhooksResult: {
            /** @description Items in this page. */
            count: number;
            hasMore: boolean;
            nextCursor: string | null;
            webhooks: components["schemas"]["AccountWebhook"][];
        };
        /**
         * ListActivityResult
         * @example {
         *       "count": 1,
         *       "hasMore": true,
         *       "nextCursor": "eyJ2IjoxfQ.nP3xQk9s",
         *       "since": "2026-03-02T09:00:04.512Z",
         *       "activity": [
         *         {
         *           "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *           "changes": [
         *             1
         *           ]
         *         }
         *       ]
         *     }
         */
        ListActivityResult: {
            /** @description Items in this page. */
            count: number;
            hasMore: boolean;
            nextCursor: string | null;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:04.512Z
             */
            since: string;
            activity: components["schemas"]["RecordActivity"][];
        };
        /**
         * ListApiKeysResult
         * @example {
         *       "count": 1,
         *       "hasMore": true,
         *       "nextCursor": "eyJ2IjoxfQ.nP3xQk9s",
         *       "apiKeys": [
         *         {
         *           "id": "key_019a2f70a1b27c3d94e5f60718293a4b",
         *           "name": "Nightly import",
         *           "scope": "read",
         *           "kind": "account",
         *           "prefix": "cat_live_",
         *           "last4": "x2Rk",
         *           "createdAt": "2026-03-01T09:50:00.000Z",
         *           "lastUsedAt": "2026-03-02T09:00:04.512Z",
         *           "expiresAt": null,
         *           "revokedAt": null
         *         }
         *       ]
         *     }
         */
        ListApiKeysResult: {
            /** @description Items in this page. */
            count: number;
            hasMore: boolean;
            nextCursor: string | null;
            apiKeys: components["schemas"]["ApiKey"][];
        };
        /**
         * ListAuditLogResult
         * @example {
         *       "count": 1,
         *       "hasMore": true,
         *       "nextCursor": "eyJ2IjoxfQ.nP3xQk9s",
         *       "entries": [
         *         {
         *           "id": "aud_019a2f7a40c17d2e8b3c4d5e6f708192",
         *           "createdAt": "2026-03-01T10:01:36.449Z",
         *           "action": "record.update",
         *           "actor": {
         *             "type": "user",
         *             "id": "usr_019a2f6a11e07c4d9a2b3c4d5e6f7081",
         *             "name": "Ada"
         *           },
         *           "target": {
         *             "type": "record",
         *             "id": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *             "name": "Shop prices"
         *           },
         *           "door": "dashboard",
         *           "ip": "203.0.113.7",
         *           "userAgent": "Mozilla/5.0 (X11; Linux x86_64; rv:147.0) Gecko/20100101 Firefox/147.0",
         *           "requestId": "5d2f0f6e-8c9b-4b1d-9f7a-2c3d4e5f6071",
         *           "changes": [
         *             {
         *               "field": "checkIntervalMinutes",
         *               "before": 1440,
         *               "after": 60
         *             }
         *           ],
         *           "count": 1,
         *           "lastAt": "2026-03-01T10:01:36.449Z"
         *         }
         *       ]
         *     }
         */
        ListAuditLogResult: {
            /** @description Items in this page. */
            count: number;
            hasMore: boolean;
            nextCursor: string | null;
            entries: components["schemas"]["AuditEntry"][];
        };
        /**
         * ListChecksResult
         * @example {
         *       "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *       "count": 1,
         *       "hasMore": true,
         *       "nextCursor": "eyJ2IjoxfQ.nP3xQk9s",
         *       "checks": [
         *         {
         *           "id": "chk_019a346c18f0700182a3b4c5d6e7f809",
         *           "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *           "number": 24,
         *           "trigger": "schedule",
         *           "startedAt": "2026-03-02T09:00:03.120Z",
         *           "finishedAt": "2026-03-02T09:00:04.512Z",
         *           "outcome": "changed",
         *           "isBaseline": false,
         *           "httpStatus": 200,
         *           "bytes": 15872,
         *           "rows": 418,
         *           "snapshotId": "snap_019a346c1d2e7f30a1b2c3d4e5f60718",
         *           "deltaEventId": "evt_019a346c1d2e7a4b9c8d7e6f50413223",
         *           "error": null,
         *           "warnings": [],
         *           "decision": null,
         *           "decidedAt": null
         *         }
         *       ]
         *     }
         */
        ListChecksResult: {
            /**
             * @description The record.
             * @example src_019a2f6b7c8d7e9fa0b1c2d3e4f50617
             */
            sourceId: string;
            /** @description Items in this page. */
            count: number;
            hasMore: boolean;
            nextCursor: string | null;
            checks: components["schemas"]["Check"][];
        };
        /**
         * ListConnectedClientsResult
         * @example {
         *       "count": 1,
         *       "hasMore": false,
         *       "nextCursor": null,
         *       "connectedClients": [
         *         {
         *           "id": "con_019ca8d1f0a27d7c8b7d2b6b4d1f9c33",
         *           "name": "Claude",
         *           "clientId": "https://claude.ai/oauth/claude-code-client-metadata",
         *           "scope": "read",
         *           "createdAt": "2026-03-01T09:52:40.000Z",
         *           "lastUsedAt": "2026-03-02T09:00:04.512Z"
         *         }
         *       ]
         *     }
         */
        ListConnectedClientsResult: {
            /** @description Items in this page. */
            count: number;
            hasMore: boolean;
            nextCursor: string | null;
            connectedClients: components["schemas"]["ConnectedClient"][];
        };
        /**
         * ListDeliveriesResult
         * @example {
         *       "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *       "count": 1,
         *       "hasMore": true,
         *       "nextCursor": "eyJ2IjoxfQ.nP3xQk9s",
         *       "deliveries": [
         *         {
         *           "id": "dlv_019a346c20117b3c8d4e5f6071829304",
         *           "webhookId": "wh_019a30112233744586a7b8c9d0e1f203",
         *           "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *           "eventType": "delta",
         *           "deltaEventId": "evt_019a346c1d2e7a4b9c8d7e6f50413223",
         *           "condition": "met",
         *           "isTest": false,
         *           "status": "delivered",
         *           "attemptCount": 1,
         *           "createdAt": "2026-03-02T09:00:04.512Z",
         *           "nextAttemptAt": null,
         *           "waitsFor": null,
         *           "finishedAt": "2026-03-02T09:00:04.650Z",
         *           "payload": "{\"event\":\"delta\",\"type\":\"delta\",\"timestamp\":\"2026-03-02T09:00:04.512Z\",\"webhookId\":\"wh_019a30112233744586a7b8c9d0e1f203\",\"sourceId\":\"src_019a2f6b7c8d7e9fa0b1c2d3e4f50617\",\"sourceName\":\"Shop prices\",\"sourceSlug\":\"shop-prices\",\"deltaEventId\":\"evt_019a346c1d2e7a4b9c8d7e6f50413223\",\"snapshotId\":\"snap_019a346c1d2e7f30a1b2c3d4e5f60718\",\"detectedAt\":\"2026-03-02T09:00:04.512Z\",\"summary\":{\"newCount\":0,\"changedCount\":1,\"deletedCount\":0,\"unchangedCount\":417,\"totalCount\":418},\"newKeys\":[],\"changedKeys\":[\"A-1001\"],\"deletedKeys\":[],\"truncated\":{\"newKeys\":false,\"changedKeys\":false,\"deletedKeys\":false},\"rowsUrl\":\"https://recordwatch.example/v1/sources/src_019a2f6b7c8d7e9fa0b1c2d3e4f50617/delta/evt_019a346c1d2e7a4b9c8d7e6f50413223/rows\"}",
         *           "attempts": [
         *             {
         *               "number": 1,
         *               "startedAt": "2026-03-02T09:00:04.561Z",
         *               "durationMs": 87,
         *               "statusCode": 204,
         *               "errorCode": null,
         *               "response": ""
         *             }
         *           ]
         *         }
         *       ]
         *     }
         */
        ListDeliveriesResult: {
            /**
             * @description The record.
             * @example src_019a2f6b7c8d7e9fa0b1c2d3e4f50617
             */
            sourceId: string;
            /** @description Items in this page. */
            count: number;
            hasMore: boolean;
            nextCursor: string | null;
            deliveries: components["schemas"]["Delivery"][];
        };
        /**
         * ListDeltaEventsResult
         * @example {
         *       "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *       "count": 1,
         *       "hasMore": true,
         *       "nextCursor": "eyJ2IjoxfQ.nP3xQk9s",
         *       "events": [
         *         {
         *           "id": "evt_019a346c1d2e7a4b9c8d7e6f50413223",
         *           "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *           "number": 24,
         *           "snapshotId": "snap_019a346c1d2e7f30a1b2c3d4e5f60718",
         *           "previousSnapshotId": "snap_019a2f6b9a1b7c2d8e3f405162738495",
         *           "detectedAt": "2026-03-02T09:00:04.512Z",
         *           "isNoChange": false,
         *           "newCount": 0,
         *           "changedCount": 1,
         *           "deletedCount": 0,
         *           "unchangedCount": 417,
         *           "totalCount": 418,
         *           "summary": {
         *             "newCount": 0,
         *             "changedCount": 1,
         *             "deletedCount": 0,
         *             "unchangedCount": 417,
         *             "totalCount": 418
         *           },
         *           "newKeys": [],
         *           "changedKeys": [
         *             "A-1001"
         *           ],
         *           "deletedKeys": [],
         *           "changedColumns": [
         *             {
         *               "field": "price",
         *               "rows": 1
         *             }
         *           ],
         *           "schemaChange": null,
         *           "rekeyed": false
         *         }
         *       ]
         *     }
         */
        ListDeltaEventsResult: {
            /**
             * @description The record.
             * @example src_019a2f6b7c8d7e9fa0b1c2d3e4f50617
             */
            sourceId: string;
            /** @description Items in this page. */
            count: number;
            hasMore: boolean;
            nextCursor: string | null;
            events: components["schemas"]["DeltaEvent"][];
        };
        /**
         * ListDeltaRowsResult
         * @example {
         *       "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *       "count": 1,
         *       "hasMore": true,
         *       "nextCursor": "eyJ2IjoxfQ.nP3xQk9s",
         *       "rows": [
         *         {
         *           "key": "A-1001",
         *           "changeType": "changed",
         *           "before": {
         *             "sku": "A-1001",
         *             "name": "Kettle",
         *             "price": "24.90"
         *           },
         *           "after": {
         *             "sku": "A-1001",
         *             "name": "Kettle",
         *             "price": "22.90"
         *           },
         *           "changedFields": [
         *             "price"
         *           ]
         *         }
         *       ]
         *     }
         */
        ListDeltaRowsResult: {
            /**
             * @description The record.
             * @example src_019a2f6b7c8d7e9fa0b1c2d3e4f50617
             */
            sourceId: string;
            /** @description Items in this page. */
            count: number;
            hasMore: boolean;
            nextCursor: string | null;
            rows: components["schemas"]["DeltaRow"][];
        };
        /**
         * ListEventsResult
         * @example {
         *       "count": 1,
         *       "hasMore": false,
         *       "nextCursor": "eyJ2IjoxfQ.nP3xQk9s",
         *       "events": [
         *         {
         *           "cursor": "eyJ2IjoxfQ.nP3xQk9s",
         *           "event": "delta",
         *           "type": "delta",
         *           "timestamp": "2026-03-02T09:00:04.512Z",
         *           "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *           "sourceName": "Shop prices",
         *           "sourceSlug": "shop-prices",
         *           "labels": {
         *             "team": "pricing"
         *           },
         *           "deltaEventId": "evt_019a346c1d2e7a4b9c8d7e6f50413223",
         *           "snapshotId": "snap_019a346c1d2e7f30a1b2c3d4e5f60718",
         *           "detectedAt": "2026-03-02T09:00:04.512Z",
         *           "summary": {
         *             "newCount": 0,
         *             "changedCount": 1,
         *             "deletedCount": 0,
         *             "unchangedCount": 417,
         *             "totalCount": 418
         *           },
         *           "newKeys": [],
         *           "changedKeys": [
         *             "A-1001"
         *           ],
         *           "deletedKeys": [],
         *           "truncated": {
         *             "newKeys": false,
         *             "changedKeys": false,
         *             "deletedKeys": false
         *           },
         *           "rowsUrl": "https://recordwatch.example/v1/sources/src_019a2f6b7c8d7e9fa0b1c2d3e4f50617/delta/evt_019a346c1d2e7a4b9c8d7e6f50413223/rows"
         *         }
         *       ]
         *     }
         */
        ListEventsResult: {
            /** @description Items in this page. */
            count: number;
            hasMore: boolean;
            /** @description Send it as `since` to continue, also when `hasMore` is false. */
            nextCursor: string;
            events: components["schemas"]["FeedEvent"][];
        };
        /**
         * ListRecordApiKeysResult
         * @example {
         *       "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *       "count": 1,
         *       "hasMore": true,
         *       "nextCursor": "eyJ2IjoxfQ.nP3xQk9s",
         *       "apiKeys": [
         *         {
         *           "id": "key_019a2f70a1b27c3d94e5f60718293a4b",
         *           "name": "Nightly import",
         *           "scope": "read",
         *           "kind": "account",
         *           "prefix": "cat_live_",
         *           "last4": "x2Rk",
         *           "createdAt": "2026-03-01T09:50:00.000Z",
         *           "lastUsedAt": "2026-03-02T09:00:04.512Z",
         *           "expiresAt": null,
         *           "revokedAt": null
         *         }
         *       ]
         *     }
         */
        ListRecordApiKeysResult: {
            /**
             * @description The record.
             * @example src_019a2f6b7c8d7e9fa0b1c2d3e4f50617
             */
            sourceId: string;
            /** @description Items in this page. */
            count: number;
            hasMore: boolean;
            nextCursor: string | null;
            apiKeys: components["schemas"]["ApiKey"][];
        };
        /**
         * ListRecordsResult
         * @example {
         *       "count": 1,
         *       "hasMore": true,
         *       "nextCursor": "eyJ2IjoxfQ.nP3xQk9s",
         *       "sources": [
         *         {
         *           "id": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *           "slug": "shop-prices",
         *           "name": "Shop prices",
         *           "url": "https://shop.example/prices.csv",
         *           "tier": "watch",
         *           "status": "active",
         *           "format": "csv",
         *           "delimiter": ",",
         *           "rowsPath": null,
         *           "headerRow": 1,
         *           "quoting": "double",
         *           "keyFields": [
         *             "sku"
         *           ],
         *           "keySource": "detected",
         *           "keyEvidence": {
         *             "candidate": "sku"
         *           },
         *           "ignoreFields": [],
         *           "rules": {
         *             "price": {
         *               "as": "number"
         *             }
         *           },
         *           "pairing": null,
         *           "quietHours": null,
         *           "isRekeyPending": false,
         *           "checkIntervalMinutes": 60,
         *           "labels": {
         *             "team": "pricing"
         *           },
         *           "auth": {
         *             "type": "none",
         *             "configured": false
         *           },
         *           "lastCheckedAt": "2026-03-02T09:00:04.512Z",
         *           "nextCheckAt": "2026-03-02T10:00:00.000Z",
         *           "lastOutcome": "changed",
         *           "isBaseline": false,
         *           "lastError": null,
         *           "heldCheckId": null,
         *           "consecutiveFailures": 0,
         *           "failingSince": null,
         *           "latestSnapshotId": "snap_019a346c1d2e7f30a1b2c3d4e5f60718",
         *           "totalRows": 418,
         *           "createdAt": "2026-03-01T09:41:12.205Z"
         *         }
         *       ],
         *       "counts": {
         *         "all": 12,
         *         "failing": 1,
         *         "held": 1,
         *         "healthy": 9,
         *         "paused": 1
         *       }
         *     }
         */
        ListRecordsResult: {
            /** @description Items in this page. */
            count: number;
            hasMore: boolean;
            nextCursor: string | null;
            sources: components["schemas"]["Record"][];
            counts?: components["schemas"]["RecordCounts"];
        };
        /**
         * ListRowsOfSnapshotResult
         * @example {
         *       "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *       "count": 1,
         *       "hasMore": true,
         *       "nextCursor": "eyJ2IjoxfQ.nP3xQk9s",
         *       "rows": [
         *         {
         *           "key": "A-1001",
         *           "data": {
         *             "sku": "A-1001",
         *             "name": "Kettle",
         *             "price": "22.90"
         *           }
         *         }
         *       ]
         *     }
         */
        ListRowsOfSnapshotResult: {
            /**
             * @description The record.
             * @example src_019a2f6b7c8d7e9fa0b1c2d3e4f50617
             */
            sourceId: string;
            /** @description Items in this page. */
            count: number;
            hasMore: boolean;
            nextCursor: string | null;
            rows: components["schemas"]["SnapshotRow"][];
        };
        /**
         * ListSnapshotRowsResult
         * @example {
         *       "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *       "count": 1,
         *       "hasMore": true,
         *       "nextCursor": "eyJ2IjoxfQ.nP3xQk9s",
         *       "rows": [
         *         {
         *           "key": "A-1001",
         *           "data": {
         *             "sku": "A-1001",
         *             "name": "Kettle",
         *             "price": "22.90"
         *           }
         *         }
         *       ]
         *     }
         */
        ListSnapshotRowsResult: {
            /**
             * @description The record.
             * @example src_019a2f6b7c8d7e9fa0b1c2d3e4f50617
             */
            sourceId: string;
            /** @description Items in this page. */
            count: number;
            hasMore: boolean;
            nextCursor: string | null;
            rows: components["schemas"]["SnapshotRow"][];
        };
        /**
         * ListSnapshotsResult
         * @example {
         *       "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *       "count": 1,
         *       "hasMore": true,
         *       "nextCursor": "eyJ2IjoxfQ.nP3xQk9s",
         *       "snapshots": [
         *         {
         *           "id": "snap_019a346c1d2e7f30a1b2c3d4e5f60718",
         *           "sequence": 2,
         *           "createdAt": "2026-03-02T09:00:04.512Z",
         *           "totalRows": 418,
         *           "columns": [
         *             "sku",
         *             "name",
         *             "price"
         *           ],
         *           "bytes": 15872,
         *           "contentHash": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
         *         }
         *       ]
         *     }
         */
        ListSnapshotsResult: {
            /**
             * @description The record.
             * @example src_019a2f6b7c8d7e9fa0b1c2d3e4f50617
             */
            sourceId: string;
            /** @description Items in this page. */
            count: number;
            hasMore: boolean;
            nextCursor: string | null;
            snapshots: components["schemas"]["Snapshot"][];
        };
        /**
         * ListWebhooksResult
         * @example {
         *       "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *       "count": 1,
         *       "hasMore": true,
         *       "nextCursor": "eyJ2IjoxfQ.nP3xQk9s",
         *       "webhooks": [
         *         {
         *           "id": "wh_019a30112233744586a7b8c9d0e1f203",
         *           "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *           "url": "https://hooks.example/recordwatch",
         *           "enabled": true,
         *           "disabledReason": null,
         *           "disabledAt": null,
         *           "description": "Prices for the shop window",
         *           "eventTypes": [
         *             "delta",
         *             "check.failed"
         *           ],
         *           "filters": {
         *             "changeTypes": [
         *               "new",
         *               "changed"
         *             ],
         *             "columns": [
         *               "price"
         *             ]
         *           },
         *           "condition": {
         *             "some": [
         *               {
         *                 "var": "rows"
         *               },
         *               {
         *                 "<": [
         *                   {
         *                     "percent": "price"
         *                   },
         *                   -5
         *                 ]
         *               }
         *             ]
         *           },
         *           "format": "json",
         *           "include": "keys",
         *           "maxBodyBytes": 262144,
         *           "fields": null,
         *           "ordered": false,
         *           "onFailure": "block",
         *           "quietHours": 24,
         *           "failingAfter": 1,
         *           "digest": null,
         *           "previousSecretUntil": null,
         *           "failingSince": null,
         *           "createdAt": "2026-03-01T12:42:10.003Z"
         *         }
         *       ]
         *     }
         */
        ListWebhooksResult: {
            /**
             * @description The record.
             * @example src_019a2f6b7c8d7e9fa0b1c2d3e4f50617
             */
            sourceId: string;
            /** @description Items in this page. */
            count: number;
            hasMore: boolean;
            nextCursor: string | null;
            webhooks: components["schemas"]["Webhook"][];
        };
        /**
         * Notice
         * @description A webhook was disabled: its endpoint asked for it, or only failed.
         * @example {
         *       "code": "webhook_disabled",
         *       "detail": "The endpoint answered 410 Gone.",
         *       "webhookId": "wh_019a30115566744586a7b8c9d0e1f204",
         *       "at": "2026-03-02T09:00:04.512Z"
         *     }
         */
        Notice: {
            /** @enum {string} */
            code: "webhook_disabled";
            detail: string;
            webhookId: string;
            at: string | null;
        };
        /**
         * OriginAnswer
         * @description What the origin sent to a failed check. A part that may contain a credential is null. Null without an answer.
         * @example {
         *       "httpStatus": 200,
         *       "contentType": "text/html",
         *       "url": "https://login.example.com/sign-in",
         *       "beginning": "<!doctype html> <html lang=\"en\"> <head> <title>Sign in</title>"
         *     }
         */
        OriginAnswer: {
            httpStatus: number | null;
            contentType: string | null;
            url: string | null;
            beginning: string | null;
        };
        /**
         * PreviewAccountConditionRequest
         * @example {
         *       "condition": {
         *         "some": [
         *           {
         *             "var": "rows"
         *           },
         *           {
         *             "<": [
         *               {
         *                 "percent": "price"
         *               },
         *               -5
         *             ]
         *           }
         *         ]
         *       },
         *       "sources": {
         *         "labels": {
         *           "team": "prices"
         *         }
         *       }
         *     }
         */
        PreviewAccountConditionRequest: {
            /** @description Which of these `delta` events to send, by their counts and the values of their rows; null: all. In the form of JSONLogic. */
            condition?: components["schemas"]["Condition"] | null;
            filters?: components["schemas"]["WebhookFilters"] | null;
            /** @description The records for which it is: `{"ids": […]}`, `{"labels": {…}}`, or null for all of the account, now and later. */
            sources?: components["schemas"]["WebhookSources"] | null;
        };
        /**
         * PreviewConditionRequest
         * @example {
         *       "condition": {
         *         "some": [
         *           {
         *             "var": "rows"
         *           },
         *           {
         *             "<": [
         *               {
         *                 "percent": "price"
         *               },
         *               -5
         *             ]
         *           }
         *         ]
         *       }
         *     }
         */
        PreviewConditionRequest: {
            /** @description Which of these `delta` events to send, by their counts and the values of their rows; null: all. In the form of JSONLogic. */
            condition?: components["schemas"]["Condition"] | null;
            filters?: components["schemas"]["WebhookFilters"] | null;
        };
        /**
         * PreviewEventsRequest
         * @example {
         *       "rules": {
         *         "price": {
         *           "as": "number",
         *           "tolerance": "1%"
         *         }
         *       }
         *     }
         */
        PreviewEventsRequest: {
            ignoreFields?: string[];
            /**
             * @description By column: when two values of it are the same. All rules at once; `{}` removes them.
             * @example {
             *       "price": {
             *         "as": "number"
             *       },
             *       "name": {
             *         "trim": true,
             *         "ignoreCase": true
             *       }
             *     }
             */
            rules?: {
                [key: string]: components["schemas"]["ColumnRule"];
            };
            pairing?: "similarity" | null;
        };
        /**
         * PreviewRecordRequest
         * @example {
         *       "url": "https://example.com/prices.csv"
         *     }
         */
        PreviewRecordRequest: {
            /** @description a complete http or https URL */
            url: string;
            format?: ("csv" | "tsv" | "jsonl" | "json") | null;
            delimiter?: string | null;
            rowsPath?: string | null;
            headerRow?: number | null;
            /**
             * @description whether a cell of CSV or TSV may be in quotes (`double`, the default); `none`: a quote is an ordinary character
             * @enum {string}
             */
            quoting?: "double" | "none";
            keyFields?: string[] | null;
            ignoreFields?: string[];
            /**
             * @description By column: when two values of it are the same. All rules at once; `{}` removes them.
             * @example {
             *       "price": {
             *         "as": "number"
             *       },
             *       "name": {
             *         "trim": true,
             *         "ignoreCase": true
             *       }
             *     }
             */
            rules?: {
                [key: string]: components["schemas"]["ColumnRule"];
            };
            pairing?: "similarity" | null;
            /**
             * @description How the record authenticates to its origin. Give exactly the fields of the type.
             * @enum {string}
             */
            authType?: "none" | "basic" | "bearer" | "api_key_header" | "api_key_query";
            /** @description a user name without colons and control characters */
            authUsername?: string;
            /** @description a password without control characters */
            authPassword?: string;
            /** @description a token of visible ASCII characters */
            authToken?: string;
            /** @description the name of a header, such as X-Api-Key */
            authHeaderName?: string;
            /** @description the value of a header: visible ASCII characters, with spaces only between them */
            authHeaderValue?: string;
            /** @description the name of a query parameter, not encoded */
            authQueryParam?: string;
            /** @description the value of a query parameter, not encoded */
            authQueryValue?: string;
        };
        /**
         * PreviewRuleRequest
         * @example {
         *       "keyFields": [
         *         "name"
         *       ]
         *     }
         */
        PreviewRuleRequest: {
            keyFields?: string[] | null;
            ignoreFields?: string[];
            /**
             * @description By column: when two values of it are the same. All rules at once; `{}` removes them.
             * @example {
             *       "price": {
             *         "as": "number"
             *       },
             *       "name": {
             *         "trim": true,
             *         "ignoreCase": true
             *       }
             *     }
             */
            rules?: {
                [key: string]: components["schemas"]["ColumnRule"];
            };
            headerRow?: number | null;
            /**
             * @description whether a cell of CSV or TSV may be in quotes (`double`, the default); `none`: a quote is an ordinary character
             * @enum {string}
             */
            quoting?: "double" | "none";
        };
        /**
         * PreviewedRow
         * @example {
         *       "key": "K-17",
         *       "data": {
         *         "sku": "K-17",
         *         "name": "Kettle",
         *         "price": "24.90"
         *       }
         *     }
         */
        PreviewedRow: {
            key: string;
            data: components["schemas"]["RowData"];
        };
        /**
         * Problem
         * @description An error in the form of RFC 9457 (`application/problem+json`).
         * @example {
         *       "type": "https://recordwatch.example/docs/errors#validation_failed",
         *       "title": "The request is not valid",
         *       "status": 422,
         *       "detail": "/url is required.",
         *       "code": "validation_failed",
         *       "requestId": "0f4c7b0a-6f0e-4a53-9d0c-9d1f2e3b4c5d",
         *       "errors": [
         *         {
         *           "pointer": "/url",
         *           "code": "required",
         *           "detail": "is required"
         *         }
         *       ]
         *     }
         */
        Problem: {
            /**
             * Format: uri
             * @description A page that explains the code: cause and solution.
             */
            type: string;
            /** @description The code in words; always the same for a code. */
            title: string;
            /** @description The HTTP status. */
            status: number;
            /** @description What happened in this case. For people; the text may change. */
            detail: string;
            /**
             * @description Stable, for programs.
             * @enum {string}
             */
            code: "bad_request" | "malformed_json" | "invalid_parameter" | "invalid_cursor" | "unauthenticated" | "plan_required" | "insufficient_scope" | "recent_sign_in_required" | "not_found" | "method_not_allowed" | "request_timeout" | "conflict" | "idempotency_in_progress" | "gone" | "body_too_large" | "unsupported_media_type" | "host_not_allowed" | "validation_failed" | "url_not_allowed" | "different_keys" | "idempotency_key_reused" | "query_too_expensive" | "rate_limited" | "headers_too_large" | "internal" | "unavailable";
            /** @description Also in `X-Request-Id`. Include it when you report a problem. */
            requestId: string;
            /**
             * Format: uri
             * @description With `plan_required`: a page to get a paid tier, if the operator has set one.
             */
            upgradeUrl?: string;
            /** @description Every fault that was found in the request. */
            errors?: components["schemas"]["FieldError"][];
        };
        /**
         * Profile
         * @example {
         *       "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *       "snapshotId": "snap_019a346c1d2e7f30a1b2c3d4e5f60718",
         *       "totalRows": 418,
         *       "isSampled": false,
         *       "sampledRows": 418,
         *       "columns": [
         *         {
         *           "column": "price",
         *           "type": "number",
         *           "filled": 418,
         *           "distinct": 204,
         *           "minimum": "0.99",
         *           "maximum": "1249.00",
         *           "samples": [
         *             "9.90",
         *             "19.90",
         *             "24.90",
         *             "4.50",
         *             "49.00"
         *           ]
         *         }
         *       ]
         *     }
         */
        Profile: {
            sourceId: string;
            snapshotId: string;
            /** @description Rows in the snapshot. */
            totalRows: number;
            isSampled: boolean;
            /** @description Rows that were counted: all unless `isSampled`. */
            sampledRows: number;
            /** @description In the order of the origin. */
            columns: components["schemas"]["ColumnProfile"][];
        };
        /**
         * QueryResult
         * @example {
         *       "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *       "snapshotId": "snap_019a346c1d2e7f30a1b2c3d4e5f60718",
         *       "count": 1,
         *       "hasMore": false,
         *       "groups": [
         *         {
         *           "group": {
         *             "name": "Kettle"
         *           },
         *           "values": {
         *             "count": 12,
         *             "avg(price)": "31.25"
         *           }
         *         }
         *       ]
         *     }
         */
        QueryResult: {
            sourceId: string;
            snapshotId: string;
            /** @description Number of groups in this response. */
            count: number;
            /** @description There are more groups than the limit or the size of a response allows. */
            hasMore: boolean;
            groups: components["schemas"]["RowGroup"][];
        };
        /**
         * QuerySnapshotRequest
         * @example {
         *       "filter": {
         *         "price": {
         *           "gt": "10"
         *         }
         *       },
         *       "groupBy": [
         *         "name"
         *       ],
         *       "measures": [
         *         {
         *           "measure": "count"
         *         },
         *         {
         *           "measure": "avg",
         *           "column": "price"
         *         }
         *       ],
         *       "orderBy": [
         *         {
         *           "by": "count",
         *           "direction": "desc"
         *         }
         *       ],
         *       "limit": 10
         *     }
         */
        QuerySnapshotRequest: {
            /**
             * @description Operators by column, all of which must hold: `filter[price][gt]=10`. `eq`, `ne`, `in` (repeated for each value), `contains` and `startsWith` compare text exactly. `gt`, `gte`, `lt` and `lte` compare plain numbers exactly as numbers, and everything else as text, byte by byte; they never match an empty cell. `exists`: the row has the column. `empty`: its value is missing, null or empty.
             * @example {
             *       "price": {
             *         "gt": "10"
             *       }
             *     }
             */
            filter?: {
                [key: string]: {
                    /** @description text without NUL, of at most 1,000 characters */
                    eq?: string;
                    /** @description text without NUL, of at most 1,000 characters */
                    ne?: string;
                    /** @description text without NUL, of at most 1,000 characters */
                    gt?: string;
                    /** @description text without NUL, of at most 1,000 characters */
                    gte?: string;
                    /** @description text without NUL, of at most 1,000 characters */
                    lt?: string;
                    /** @description text without NUL, of at most 1,000 characters */
                    lte?: string;
                    /** @description text without NUL, of at most 1,000 characters */
                    contains?: string;
                    /** @description text without NUL, of at most 1,000 characters */
                    startsWith?: string;
                    in?: string[];
                    exists?: boolean;
                    empty?: boolean;
                };
            };
            /** @description text without NUL, of 1 to 200 characters: rows with it in a value or in the key, ignoring case */
            search?: string;
            /**
             * @description Columns. Rows with the same values in them form a group. By default all rows are one group.
             * @example [
             *       "brand"
             *     ]
             */
            groupBy?: string[];
            /**
             * @description What to compute for each group; by default its number of rows.
             * @example [
             *       {
             *         "measure": "count"
             *       },
             *       {
             *         "measure": "avg",
             *         "column": "price"
             *       }
             *     ]
             */
            measures?: {
                /** @enum {string} */
                measure: "count" | "distinct" | "min" | "max" | "avg" | "sum";
                /** @description Required, except for `count`, which counts rows. */
                column?: string;
                /** @description Its name in the response; by default `sum(price)` and so on. */
                as?: string;
            }[];
            /** @description By the columns of `groupBy` by default. */
            orderBy?: {
                /** @description The name of a measure, or a column of `groupBy`. */
                by: string;
                /**
                 * @description `asc` by default.
                 * @enum {string}
                 */
                direction?: "asc" | "desc";
            }[];
            /** @description Number of groups: 100 by default, 1,000 at most (more counts as 1,000). */
            limit?: number;
        };
        /**
         * Record
         * @example {
         *       "id": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *       "slug": "shop-prices",
         *       "name": "Shop prices",
         *       "url": "https://shop.example/prices.csv",
         *       "tier": "watch",
         *       "status": "active",
         *       "format": "csv",
         *       "delimiter": ",",
         *       "rowsPath": null,
         *       "headerRow": 1,
         *       "quoting": "double",
         *       "keyFields": [
         *         "sku"
         *       ],
         *       "keySource": "detected",
         *       "keyEvidence": {
         *         "candidate": "sku"
         *       },
         *       "ignoreFields": [],
         *       "rules": {
         *         "price": {
         *           "as": "number"
         *         }
         *       },
         *       "pairing": null,
         *       "quietHours": null,
         *       "isRekeyPending": false,
         *       "checkIntervalMinutes": 60,
         *       "labels": {
         *         "team": "pricing"
         *       },
         *       "auth": {
         *         "type": "none",
         *         "configured": false
         *       },
         *       "lastCheckedAt": "2026-03-02T09:00:04.512Z",
         *       "nextCheckAt": "2026-03-02T10:00:00.000Z",
         *       "lastOutcome": "changed",
         *       "isBaseline": false,
         *       "lastError": null,
         *       "heldCheckId": null,
         *       "consecutiveFailures": 0,
         *       "failingSince": null,
         *       "latestSnapshotId": "snap_019a346c1d2e7f30a1b2c3d4e5f60718",
         *       "totalRows": 418,
         *       "createdAt": "2026-03-01T09:41:12.205Z"
         *     }
         */
        Record: {
            id: string;
            slug: string;
            name: string;
            url: string;
            /** @enum {string} */
            tier: "anonymous" | "free" | "watch" | "max";
            /** @enum {string} */
            status: "active" | "paused";
            format: ("csv" | "tsv" | "jsonl" | "json") | null;
            delimiter: string | null;
            rowsPath: string | null;
            headerRow: number | null;
            /** @enum {string} */
            quoting: "double" | "none";
            keyFields: string[] | null;
            keySource: ("given" | "detected") | null;
            /** @description Why these were detected; null if given. */
            keyEvidence: unknown;
            ignoreFields: string[];
            /** @description By column: when two values of it are the same. */
            rules: {
                [key: string]: components["schemas"]["ColumnRule"];
            };
            pairing: "similarity" | null;
            quietHours: number | null;
            /** @description Still stored under the old rule. */
            isRekeyPending: boolean;
            checkIntervalMinutes: number;
            labels: {
                [key: string]: string;
            };
            /** @description How it authenticates to its origin. Values are never shown. */
            auth: {
                /** @enum {string} */
                type: "none" | "basic" | "bearer" | "api_key_header" | "api_key_query";
                configured: boolean;
            };
            lastCheckedAt: string | null;
            nextCheckAt: string | null;
            lastOutcome: ("changed" | "unchanged" | "held" | "failed") | null;
            isBaseline: boolean;
            lastError: components["schemas"]["CheckError"] | null;
            heldCheckId: string | null;
            consecutiveFailures: number;
            failingSince: string | null;
            latestSnapshotId: string | null;
            totalRows: number | null;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:04.512Z
             */
            createdAt: string;
            /** @description When rows last changed, if a stored event has changes. In lists and for one record. */
            lastChangeAt?: string | null;
            /** @description Of the last failed check, while the record is failing. Only for one record. */
            originAnswer?: components["schemas"]["OriginAnswer"] | null;
            /** @description Newest first. Only for one record. */
            notices?: components["schemas"]["Notice"][];
        };
        /**
         * RecordActivity
         * @example {
         *       "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *       "changes": [
         *         1
         *       ]
         *     }
         */
        RecordActivity: {
            /**
             * @description The record.
             * @example src_019a2f6b7c8d7e9fa0b1c2d3e4f50617
             */
            sourceId: string;
            /** @description New, changed and deleted rows of each day. */
            changes: number[];
        };
        /**
         * RecordCounts
         * @description Records that match the search and the labels. Health is that of active records.
         * @example {
         *       "all": 12,
         *       "failing": 1,
         *       "held": 1,
         *       "healthy": 9,
         *       "paused": 1
         *     }
         */
        RecordCounts: {
            all: number;
            failing: number;
            held: number;
            healthy: number;
            paused: number;
        };
        /**
         * RecordPreview
         * @example {
         *       "url": "https://example.com/prices.csv",
         *       "format": "csv",
         *       "delimiter": ",",
         *       "rowsPath": null,
         *       "headerRow": 1,
         *       "quoting": "double",
         *       "keyFields": [
         *         "sku"
         *       ],
         *       "keySource": "given",
         *       "keyEvidence": null,
         *       "ignoreFields": [],
         *       "rules": {},
         *       "pairing": null,
         *       "columns": [
         *         "sku",
         *         "name",
         *         "price"
         *       ],
         *       "rowCount": 418,
         *       "totalRows": 418,
         *       "sizeBytes": 9431,
         *       "rows": [
         *         {
         *           "key": "K-17",
         *           "data": {
         *             "sku": "K-17",
         *             "name": "Kettle",
         *             "price": "24.90"
         *           }
         *         }
         *       ],
         *       "warnings": [],
         *       "error": null
         *     }
         */
        RecordPreview: {
            url: string;
            format: ("csv" | "tsv" | "jsonl" | "json") | null;
            delimiter: string | null;
            rowsPath: string | null;
            headerRow: number | null;
            /**
             * @description whether a cell of CSV or TSV may be in quotes (`double`, the default); `none`: a quote is an ordinary character
             * @enum {string}
             */
            quoting: "double" | "none";
            keyFields: string[] | null;
            /** @enum {string} */
            keySource: "given" | "detected";
            /** @description Why these key fields were detected; null when they were given. */
            keyEvidence: unknown;
            ignoreFields: string[];
            /** @description By column: when two values of it are the same. */
            rules: {
                [key: string]: components["schemas"]["ColumnRule"];
            };
            pairing: "similarity" | null;
            columns: string[] | null;
            rowCount: number | null;
            totalRows: number | null;
            sizeBytes: number | null;
            /** @description The first rows of the body: at most 10, and 256 KiB of more than one. */
            rows?: components["schemas"]["PreviewedRow"][];
            warnings: components["schemas"]["Warning"][];
            error: components["schemas"]["CheckError"] | null;
        };
        /**
         * RecordQuietPayload
         * @example {
         *       "event": "record.quiet",
         *       "type": "record.quiet",
         *       "timestamp": "2026-03-02T09:00:04.512Z",
         *       "webhookId": "wh_019a30112233744586a7b8c9d0e1f203",
         *       "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *       "sourceName": "Shop prices",
         *       "sourceSlug": "shop-prices",
         *       "deltaEventId": null,
         *       "snapshotId": "snap_019a346c1d2e7f30a1b2c3d4e5f60718",
         *       "unchangedSince": "2026-03-01T08:00:03.004Z",
         *       "checkedAt": "2026-03-02T08:00:04.112Z",
         *       "quietHours": 24
         *     }
         */
        RecordQuietPayload: {
            /** @constant */
            event: "record.quiet";
            /**
             * @description The same as `event`, under the name of Standard Webhooks.
             * @constant
             */
            type: "record.quiet";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-02T09:00:04.512Z
             */
            timestamp: string;
            webhookId: string;
            /** @description The record. */
            sourceId: string;
            sourceName: string;
            sourceSlug: string;
            /** @description true: a requested example. Real events omit it. */
            isTest?: boolean;
            deltaEventId: string | null;
            /** @description The version of the data that is still the latest. */
            snapshotId: string;
            /**
             * Format: date-time
             * @description When that version was found.
             * @example 2026-03-02T09:00:04.512Z
             */
            unchangedSince: string;
            /**
             * Format: date-time
             * @description When a check last found no other.
             * @example 2026-03-02T09:00:04.512Z
             */
            checkedAt: string;
            /** @description The hours that the webhook asked for. */
            quietHours: number;
        };
        /**
         * RecoverAccountWebhookRequest
         * @example {
         *       "since": "2026-03-01T00:00:00Z",
         *       "dryRun": true
         *     }
         */
        RecoverAccountWebhookRequest: {
            /** @description Only events after this ISO 8601 time or event id. */
            since: string;
            /** @description Only count. false by default. */
            dryRun?: boolean;
        };
        /**
         * RecoverWebhookRequest
         * @example {
         *       "since": "2026-03-01T00:00:00Z",
         *       "dryRun": true
         *     }
         */
        RecoverWebhookRequest: {
            /** @description Only events after this ISO 8601 time or event id. */
            since: string;
            /** @description Only count. false by default. */
            dryRun?: boolean;
        };
        /**
         * Recovery
         * @example {
         *       "webhookId": "wh_019a30112233744586a7b8c9d0e1f203",
         *       "dryRun": true,
         *       "count": 42,
         *       "hasMore": false
         *     }
         */
        Recovery: {
            webhookId: string;
            dryRun: boolean;
            /** @description Deliveries that are sent, or with `dryRun` would be. */
            count: number;
            /** @description There are more: repeat the request after these were sent. */
            hasMore: boolean;
        };
        /**
         * RenamedColumn
         * @example {
         *       "from": "title",
         *       "to": "name"
         *     }
         */
        RenamedColumn: {
            from: string;
            to: string;
        };
        /**
         * ReplayedEvent
         * @example {
         *       "deltaEventId": "evt_019a346c1d2e7a4b9c8d7e6f50413223",
         *       "detectedAt": "2026-03-02T09:00:04.512Z",
         *       "summary": {
         *         "newCount": 0,
         *         "changedCount": 3,
         *         "deletedCount": 0
         *       },
         *       "rowsRead": 3,
         *       "underRules": {
         *         "newCount": 0,
         *         "changedCount": 1,
         *         "deletedCount": 0
         *       },
         *       "isReported": true
         *     }
         */
        ReplayedEvent: {
            deltaEventId: string;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:04.512Z
             */
            detectedAt: string;
            summary: components["schemas"]["ReportedRows"];
            /** @description How many of its rows were compared again, at most 2000. Under a tolerance, a row that an earlier event may have had beyond those is not. */
            rowsRead: number;
            underRules: components["schemas"]["RowsUnderRules"];
            isReported: boolean | null;
        };
        /**
         * ReportedRows
         * @description The rows that the event has.
         * @example {
         *       "newCount": 0,
         *       "changedCount": 3,
         *       "deletedCount": 0
         *     }
         */
        ReportedRows: {
            newCount: number;
            changedCount: number;
            deletedCount: number;
        };
        /**
         * RotateAccountWebhookSecretRequest
         * @example {}
         */
        RotateAccountWebhookSecretRequest: {
            secret?: string | null;
        };
        /**
         * RotateWebhookSecretRequest
         * @example {}
         */
        RotateWebhookSecretRequest: {
            secret?: string | null;
        };
        /**
         * RowData
         * @description A row: names and values as the origin wrote them.
         * @example {
         *       "sku": "A-1001",
         *       "name": "Kettle",
         *       "price": "22.90"
         *     }
         */
        RowData: Record<string, never>;
        /**
         * RowGroup
         * @example {
         *       "group": {
         *         "name": "Kettle"
         *       },
         *       "values": {
         *         "count": 12,
         *         "avg(price)": "31.25"
         *       }
         *     }
         */
        RowGroup: {
            /** @description The group’s values by column, as text; null for missing and null. */
            group: {
                [key: string]: string | null;
            };
            /** @description Measures by name: counts are integers, the others text with every digit, or null without a value. */
            values: {
                [key: string]: number | string | null;
            };
        };
        /**
         * RowHistoryEntry
         * @example {
         *       "snapshotId": "snap_019a346c1d2e7f30a1b2c3d4e5f60718",
         *       "deltaEventId": "evt_019a346c1d2e7a4b9c8d7e6f50413223",
         *       "detectedAt": "2026-03-02T09:00:04.512Z",
         *       "key": "A-1001",
         *       "changeType": "changed",
         *       "before": {
         *         "sku": "A-1001",
         *         "name": "Kettle",
         *         "price": "24.90"
         *       },
         *       "after": {
         *         "sku": "A-1001",
         *         "name": "Kettle",
         *         "price": "22.90"
         *       },
         *       "changedFields": [
         *         "price"
         *       ]
         *     }
         */
        RowHistoryEntry: {
            /** @description The version of the data with this change. */
            snapshotId: string;
            deltaEventId: string;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:04.512Z
             */
            detectedAt: string;
            key: string;
            /** @enum {string} */
            changeType: "new" | "changed" | "deleted";
            before: components["schemas"]["RowData"] | null;
            after: components["schemas"]["RowData"] | null;
            /** @description For a changed row; empty for the others. */
            changedFields: string[];
            /**
             * @description Of a changed row without a key: a deleted and a new row that are alike.
             * @enum {string}
             */
            pairedBy?: "similarity";
            /** @description Its key before; `key` is the new one. */
            previousKey?: string;
        };
        /**
         * RowSample
         * @example {
         *       "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *       "snapshotId": "snap_019a346c1d2e7f30a1b2c3d4e5f60718",
         *       "totalRows": 418,
         *       "count": 1,
         *       "rows": [
         *         {
         *           "key": "A-1001",
         *           "data": {
         *             "sku": "A-1001",
         *             "name": "Kettle",
         *             "price": "22.90"
         *           }
         *         }
         *       ]
         *     }
         */
        RowSample: {
            sourceId: string;
            snapshotId: string;
            /** @description Rows in the snapshot. */
            totalRows: number;
            /** @description Rows in this response. */
            count: number;
            rows: components["schemas"]["SnapshotRow"][];
        };
        /**
         * RowsUnderRules
         * @description How many of these would still be in it.
         * @example {
         *       "newCount": 0,
         *       "changedCount": 1,
         *       "deletedCount": 0
         *     }
         */
        RowsUnderRules: {
            newCount: number;
            changedCount: number;
            deletedCount: number;
        };
        /**
         * RulePreview
         * @example {
         *       "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *       "keyFields": [
         *         "name"
         *       ],
         *       "keySource": "given",
         *       "keyEvidence": null,
         *       "ignoreFields": [],
         *       "rules": {},
         *       "headerRow": 1,
         *       "quoting": "double",
         *       "columns": [
         *         "sku",
         *         "name",
         *         "price"
         *       ],
         *       "rowCount": 418,
         *       "totalRows": 416,
         *       "warnings": [
         *         {
         *           "code": "duplicate_key",
         *           "count": 2,
         *           "samples": [
         *             "Kettle"
         *           ]
         *         }
         *       ],
         *       "error": null
         *     }
         */
        RulePreview: {
            sourceId: string;
            keyFields: string[] | null;
            /** @enum {string} */
            keySource: "given" | "detected";
            /** @description Why these key fields were detected; null when they were given. */
            keyEvidence: unknown;
            ignoreFields: string[];
            /** @description By column: when two values of it are the same. */
            rules: {
                [key: string]: components["schemas"]["ColumnRule"];
            };
            headerRow: number | null;
            /**
             * @description whether a cell of CSV or TSV may be in quotes (`double`, the default); `none`: a quote is an ordinary character
             * @enum {string}
             */
            quoting: "double" | "none";
            columns: string[] | null;
            rowCount: number | null;
            totalRows: number | null;
            warnings: components["schemas"]["Warning"][];
            error: components["schemas"]["CheckError"] | null;
        };
        /**
         * SchemaChange
         * @example {
         *       "added": [
         *         "weight"
         *       ],
         *       "removed": [],
         *       "renamed": [
         *         {
         *           "from": "title",
         *           "to": "name"
         *         }
         *       ],
         *       "schemaOnlyCount": 417
         *     }
         */
        SchemaChange: {
            /** @description Columns that were not there before. */
            added: string[];
            /** @description Columns that are no longer there. */
            removed: string[];
            /** @description Columns with another name and the same value in every row; they are not in `added` or `removed`. */
            renamed: components["schemas"]["RenamedColumn"][];
            /** @description Rows that changed for no other reason. */
            schemaOnlyCount?: number;
        };
        /**
         * SchemaChangedPayload
         * @example {
         *       "event": "schema.changed",
         *       "type": "schema.changed",
         *       "timestamp": "2026-03-02T09:00:04.512Z",
         *       "webhookId": "wh_019a30112233744586a7b8c9d0e1f203",
         *       "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *       "sourceName": "Shop prices",
         *       "sourceSlug": "shop-prices",
         *       "deltaEventId": null,
         *       "checkId": "chk_019a346c18f0700182a3b4c5d6e7f809",
         *       "snapshotId": "snap_019a346c1d2e7f30a1b2c3d4e5f60718",
         *       "schemaChange": {
         *         "added": [
         *           "weight"
         *         ],
         *         "removed": [],
         *         "renamed": [],
         *         "schemaOnlyCount": 417
         *       }
         *     }
         */
        SchemaChangedPayload: {
            /** @constant */
            event: "schema.changed";
            /**
             * @description The same as `event`, under the name of Standard Webhooks.
             * @constant
             */
            type: "schema.changed";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-02T09:00:04.512Z
             */
            timestamp: string;
            webhookId: string;
            /** @description The record. */
            sourceId: string;
            sourceName: string;
            sourceSlug: string;
            /** @description true: a requested example. Real events omit it. */
            isTest?: boolean;
            deltaEventId: string | null;
            /** @description The check that caused the event. */
            checkId: string;
            /** @description The version of the data with the changes. */
            snapshotId: string;
            schemaChange: components["schemas"]["SchemaChange"];
        };
        /**
         * Session
         * @example {
         *       "expiresAt": "2026-03-02T09:41:12.205Z",
         *       "secondsLeft": 2467,
         *       "source": {
         *         "id": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *         "slug": "shop-prices",
         *         "name": "Shop prices",
         *         "url": "https://shop.example/prices.csv",
         *         "tier": "anonymous",
         *         "status": "active",
         *         "format": "csv",
         *         "delimiter": ",",
         *         "rowsPath": null,
         *         "headerRow": 1,
         *         "quoting": "double",
         *         "keyFields": [
         *           "sku"
         *         ],
         *         "keySource": "detected",
         *         "keyEvidence": {
         *           "candidate": "sku"
         *         },
         *         "ignoreFields": [],
         *         "rules": {
         *           "price": {
         *             "as": "number"
         *           }
         *         },
         *         "pairing": null,
         *         "quietHours": null,
         *         "isRekeyPending": false,
         *         "checkIntervalMinutes": 60,
         *         "labels": {
         *           "team": "pricing"
         *         },
         *         "auth": {
         *           "type": "none",
         *           "configured": false
         *         },
         *         "lastCheckedAt": "2026-03-02T09:00:04.512Z",
         *         "nextCheckAt": "2026-03-02T10:00:00.000Z",
         *         "lastOutcome": "changed",
         *         "isBaseline": false,
         *         "lastError": null,
         *         "heldCheckId": null,
         *         "consecutiveFailures": 0,
         *         "failingSince": null,
         *         "latestSnapshotId": "snap_019a346c1d2e7f30a1b2c3d4e5f60718",
         *         "totalRows": 418,
         *         "createdAt": "2026-03-01T09:41:12.205Z"
         *       },
         *       "mcpCalls": {
         *         "limit": 50,
         *         "used": 12,
         *         "left": 38
         *       }
         *     }
         */
        Session: {
            /**
             * Format: date-time
             * @description When the token expires and the record is erased, unless it is kept before.
             * @example 2026-03-02T09:00:04.512Z
             */
            expiresAt: string;
            /** @description By the service’s clock. */
            secondsLeft: number;
            source: components["schemas"]["Record"];
            /** @description MCP tool calls, counted over the whole session. */
            mcpCalls: {
                limit: number;
                used: number;
                left: number;
            };
        };
        /**
         * Snapshot
         * @example {
         *       "id": "snap_019a346c1d2e7f30a1b2c3d4e5f60718",
         *       "sequence": 2,
         *       "createdAt": "2026-03-02T09:00:04.512Z",
         *       "totalRows": 418,
         *       "columns": [
         *         "sku",
         *         "name",
         *         "price"
         *       ],
         *       "bytes": 15872,
         *       "contentHash": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
         *     }
         */
        Snapshot: {
            id: string;
            /** @description Counts the versions of the data, from 1. */
            sequence: number;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:04.512Z
             */
            createdAt: string;
            totalRows: number;
            /** @description In the order of the origin, without the ignored ones. */
            columns: string[];
            bytes: number;
            /** @description SHA-256 of the body, in hex. */
            contentHash: string;
        };
        /**
         * SnapshotRow
         * @example {
         *       "key": "A-1001",
         *       "data": {
         *         "sku": "A-1001",
         *         "name": "Kettle",
         *         "price": "22.90"
         *       }
         *     }
         */
        SnapshotRow: {
            key: string;
            data: components["schemas"]["RowData"];
        };
        /**
         * StartKeyRequestRequest
         * @example {
         *       "machine": "ada-laptop"
         *     }
         */
        StartKeyRequestRequest: {
            /** @description the name of the machine: at most 63 letters, digits, dots, hyphens and underscores */
            machine: string;
        };
        /**
         * StartedKeyRequest
         * @example {
         *       "deviceSecret": "mQ3vXhT0rWb8yNfK2sLdUe7pJzAgCc51_Rk9xVn4TqE",
         *       "userCode": "WDJB-MJHT",
         *       "verificationUrl": "https://recordwatch.example/dashboard/allow-login?code=WDJB-MJHT",
         *       "expiresAt": "2026-03-02T09:10:04.000Z",
         *       "expiresInSeconds": 600,
         *       "intervalSeconds": 5
         *     }
         */
        StartedKeyRequest: {
            /** @description With it the program collects the key. Shown only here. */
            deviceSecret: string;
            /** @description The code that the program shows: two groups of four capital letters, joined by a hyphen. */
            userCode: string;
            /** @description The page on which a person compares the code and answers. It has the code. */
            verificationUrl: string;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:04.512Z
             */
            expiresAt: string;
            expiresInSeconds: number;
            /** @description How long the program waits before it asks (again). Asking earlier makes it longer. */
            intervalSeconds: number;
        };
        /**
         * TestAccountWebhookRequest
         * @example {}
         */
        TestAccountWebhookRequest: {
            /**
             * @description `delta` by default.
             * @enum {string}
             */
            eventType?: "delta" | "check.failed" | "check.recovered" | "check.held" | "schema.changed" | "record.quiet" | "webhook.disabled";
        };
        /**
         * TestWebhookRequest
         * @example {}
         */
        TestWebhookRequest: {
            /**
             * @description `delta` by default.
             * @enum {string}
             */
            eventType?: "delta" | "check.failed" | "check.recovered" | "check.held" | "schema.changed" | "record.quiet" | "webhook.disabled";
        };
        /**
         * TruncatedFeedKeys
         * @description Only of `delta`. Which lists are incomplete: the rows list all keys.
         * @example {
         *       "newKeys": false,
         *       "changedKeys": false,
         *       "deletedKeys": false
         *     }
         */
        TruncatedFeedKeys: {
            /** @description The list is incomplete. */
            newKeys: boolean;
            /** @description The list is incomplete. */
            changedKeys: boolean;
            /** @description The list is incomplete. */
            deletedKeys: boolean;
        };
        /**
         * TruncatedKeys
         * @description Which lists are incomplete. Keys beyond 100, or beyond 256 KiB of body, are omitted; with `include: "rows"` keys beyond a quarter of `maxBodyBytes`, columns beyond an eighth, and rows that do not fit.
         * @example {
         *       "newKeys": false,
         *       "changedKeys": false,
         *       "deletedKeys": false
         *     }
         */
        TruncatedKeys: {
            /** @description The list is incomplete. */
            newKeys: boolean;
            /** @description The list is incomplete. */
            changedKeys: boolean;
            /** @description The list is incomplete. */
            deletedKeys: boolean;
            /** @description There are more rows. Only with `include: "rows"`. */
            rows?: boolean;
            /** @description The list is incomplete. Only with `include: "rows"`. */
            changedColumns?: boolean;
        };
        /**
         * UpdateAccountWebhookRequest
         * @example {
         *       "sources": null
         *     }
         */
        UpdateAccountWebhookRequest: {
            /** @description a complete http or https URL, or for mails `mailto:` and the address of a user of the account */
            url?: string;
            /** @description Which events to send; by default `delta` only. */
            eventTypes?: ("delta" | "check.failed" | "check.recovered" | "check.held" | "schema.changed" | "record.quiet" | "webhook.disabled")[];
            description?: string | null;
            /** @description Which `delta` events to send: all of these must hold. Replaces the previous filters; null: all events. */
            filters?: components["schemas"]["WebhookFilters"] | null;
            /** @description Which of these `delta` events to send, by their counts and the values of their rows; null: all. In the form of JSONLogic. */
            condition?: components["schemas"]["Condition"] | null;
            /**
             * @description The form of bodies: `json`, the members alone; `cloudevents`, as the `data` of a CloudEvent 1.0 in structured mode; `slack`, `teams`, `discord` or `ntfy`, a message for people at the URL of a chat; or `mail`, a mail to a `mailto:` URL.
             * @enum {string}
             */
            format?: "json" | "cloudevents" | "slack" | "teams" | "discord" | "ntfy" | "mail";
            /**
             * @description What the body of a `delta` says of the rows: `keys`, the first 100 of each change type, or `rows`, also the values of those that the filters select, before and after. Messages for people show the first rows with either.
             * @enum {string}
             */
            include?: "keys" | "rows";
            /** @description The largest body with rows, in bytes. `rowsUrl` continues with the rows that do not fit. */
            maxBodyBytes?: number;
            /** @description The columns of each row in the body, with `include: "rows"`; null: all columns. */
            fields?: string[] | null;
            /** @description The events of a record are sent one at a time, in their order: each waits until the one before has ended. */
            ordered?: boolean;
            /**
             * @description With `ordered`, what happens when a delivery has failed in all its attempts: `block`, the later ones of the record wait until it was sent again and arrived, or `skip`, they are sent without it.
             * @enum {string}
             */
            onFailure?: "block" | "skip";
            /** @description After how many hours without a change `record.quiet` is sent. */
            quietHours?: number;
            /** @description After how many failed checks in a row `check.failed` is sent. `check.recovered` is sent only after as many. */
            failingAfter?: number;
            digest?: components["schemas"]["Digest"] | null;
            /** @description A disabled webhook gets no deliveries. */
            enabled?: boolean;
            /** @description The records for which it is: `{"ids": […]}`, `{"labels": {…}}`, or null for all of the account, now and later. */
            sources?: components["schemas"]["WebhookSources"] | null;
        };
        /**
         * UpdateRecordRequest
         * @example {
         *       "name": "Shop prices, retail"
         *     }
         */
        UpdateRecordRequest: {
            /** @description printable text of at most 200 characters */
            name?: string;
            /** @description lower-case letters and digits in groups joined by single hyphens, at most 63 characters */
            slug?: string;
            /** @description a complete http or https URL */
            url?: string;
            /** @description Minutes between two checks; may be a fraction. */
            checkIntervalMinutes?: number;
            labels?: {
                [key: string]: string;
            } | null;
            quietHours?: number | null;
            format?: ("csv" | "tsv" | "jsonl" | "json") | null;
            delimiter?: string | null;
            rowsPath?: string | null;
            headerRow?: number | null;
            /**
             * @description whether a cell of CSV or TSV may be in quotes (`double`, the default); `none`: a quote is an ordinary character
             * @enum {string}
             */
            quoting?: "double" | "none";
            keyFields?: string[] | null;
            ignoreFields?: string[];
            /**
             * @description By column: when two values of it are the same. All rules at once; `{}` removes them.
             * @example {
             *       "price": {
             *         "as": "number"
             *       },
             *       "name": {
             *         "trim": true,
             *         "ignoreCase": true
             *       }
             *     }
             */
            rules?: {
                [key: string]: components["schemas"]["ColumnRule"];
            };
            pairing?: "similarity" | null;
            /** @description Begin a generation with the next body, which is not compared with the rows before. */
            startOver?: boolean;
            /**
             * @description How the record authenticates to its origin. Give exactly the fields of the type.
             * @enum {string}
             */
            authType?: "none" | "basic" | "bearer" | "api_key_header" | "api_key_query";
            /** @description a user name without colons and control characters */
            authUsername?: string;
            /** @description a password without control characters */
            authPassword?: string;
            /** @description a token of visible ASCII characters */
            authToken?: string;
            /** @description the name of a header, such as X-Api-Key */
            authHeaderName?: string;
            /** @description the value of a header: visible ASCII characters, with spaces only between them */
            authHeaderValue?: string;
            /** @description the name of a query parameter, not encoded */
            authQueryParam?: string;
            /** @description the value of a query parameter, not encoded */
            authQueryValue?: string;
        };
        /**
         * UpdateWebhookRequest
         * @example {
         *       "enabled": false
         *     }
         */
        UpdateWebhookRequest: {
            /** @description a complete http or https URL, or for mails `mailto:` and the address of a user of the account */
            url?: string;
            /** @description Which events to send; by default `delta` only. */
            eventTypes?: ("delta" | "check.failed" | "check.recovered" | "check.held" | "schema.changed" | "record.quiet" | "webhook.disabled")[];
            description?: string | null;
            /** @description Which `delta` events to send: all of these must hold. Replaces the previous filters; null: all events. */
            filters?: components["schemas"]["WebhookFilters"] | null;
            /** @description Which of these `delta` events to send, by their counts and the values of their rows; null: all. In the form of JSONLogic. */
            condition?: components["schemas"]["Condition"] | null;
            /**
             * @description The form of bodies: `json`, the members alone; `cloudevents`, as the `data` of a CloudEvent 1.0 in structured mode; `slack`, `teams`, `discord` or `ntfy`, a message for people at the URL of a chat; or `mail`, a mail to a `mailto:` URL.
             * @enum {string}
             */
            format?: "json" | "cloudevents" | "slack" | "teams" | "discord" | "ntfy" | "mail";
            /**
             * @description What the body of a `delta` says of the rows: `keys`, the first 100 of each change type, or `rows`, also the values of those that the filters select, before and after. Messages for people show the first rows with either.
             * @enum {string}
             */
            include?: "keys" | "rows";
            /** @description The largest body with rows, in bytes. `rowsUrl` continues with the rows that do not fit. */
            maxBodyBytes?: number;
            /** @description The columns of each row in the body, with `include: "rows"`; null: all columns. */
            fields?: string[] | null;
            /** @description The events of a record are sent one at a time, in their order: each waits until the one before has ended. */
            ordered?: boolean;
            /**
             * @description With `ordered`, what happens when a delivery has failed in all its attempts: `block`, the later ones of the record wait until it was sent again and arrived, or `skip`, they are sent without it.
             * @enum {string}
             */
            onFailure?: "block" | "skip";
            /** @description After how many hours without a change `record.quiet` is sent. */
            quietHours?: number;
            /** @description After how many failed checks in a row `check.failed` is sent. `check.recovered` is sent only after as many. */
            failingAfter?: number;
            digest?: components["schemas"]["Digest"] | null;
            /** @description A disabled webhook gets no deliveries. */
            enabled?: boolean;
        };
        /**
         * Usage
         * @example {
         *       "tier": "free",
         *       "isUnlocked": true,
         *       "records": 1,
         *       "failingRecords": 1,
         *       "apiKeys": 1,
         *       "webhooks": 1,
         *       "connectedClients": 1,
         *       "mcpCalls": {
         *         "usedToday": 1,
         *         "limitPerDay": 1,
         *         "resetAt": "2026-03-02T09:00:04.512Z"
         *       },
         *       "requestsPerMinute": 1,
         *       "limitsOfRecords": {
         *         "minCheckIntervalMinutes": 1,
         *         "maxRows": 1,
         *         "maxBodyBytes": 1,
         *         "retentionDays": 1
         *       }
         *     }
         */
        Usage: {
            /** @enum {string} */
            tier: "free" | "watch" | "max";
            /** @description Whether API keys and webhooks can be created: true on a paid tier. */
            isUnlocked: boolean;
            records: number;
            /** @description Records whose latest checks failed. */
            failingRecords: number;
            /** @description Valid keys of the account and of its records. */
            apiKeys: number;
            webhooks: number;
            connectedClients: number;
            mcpCalls: {
                usedToday: number;
                limitPerDay: number;
                /**
                 * Format: date-time
                 * @example 2026-03-02T09:00:04.512Z
                 */
                resetAt: string;
            };
            requestsPerMinute: number;
            /** @description Limits of a record on this tier. */
            limitsOfRecords: {
                minCheckIntervalMinutes: number;
                maxRows: number;
                maxBodyBytes: number;
                retentionDays: number;
            };
        };
        /**
         * Warning
         * @description A problem with the data that did not stop the check.
         * @example {
         *       "code": "duplicate_key",
         *       "count": 2,
         *       "samples": [
         *         "A-1001",
         *         "A-1002"
         *       ]
         *     }
         */
        Warning: {
            code: string;
            /** @description How often it occurred. */
            count: number;
            /** @description Some of the places. */
            samples: string[];
        };
        /**
         * Webhook
         * @example {
         *       "id": "wh_019a30112233744586a7b8c9d0e1f203",
         *       "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *       "url": "https://hooks.example/recordwatch",
         *       "enabled": true,
         *       "disabledReason": null,
         *       "disabledAt": null,
         *       "description": "Prices for the shop window",
         *       "eventTypes": [
         *         "delta",
         *         "check.failed"
         *       ],
         *       "filters": {
         *         "changeTypes": [
         *           "new",
         *           "changed"
         *         ],
         *         "columns": [
         *           "price"
         *         ]
         *       },
         *       "condition": {
         *         "some": [
         *           {
         *             "var": "rows"
         *           },
         *           {
         *             "<": [
         *               {
         *                 "percent": "price"
         *               },
         *               -5
         *             ]
         *           }
         *         ]
         *       },
         *       "format": "json",
         *       "include": "keys",
         *       "maxBodyBytes": 262144,
         *       "fields": null,
         *       "ordered": false,
         *       "onFailure": "block",
         *       "quietHours": 24,
         *       "failingAfter": 1,
         *       "digest": null,
         *       "previousSecretUntil": null,
         *       "failingSince": null,
         *       "createdAt": "2026-03-01T12:42:10.003Z"
         *     }
         */
        Webhook: {
            id: string;
            sourceId: string;
            url: string;
            enabled: boolean;
            disabledReason: string | null;
            disabledAt: string | null;
            description: string | null;
            eventTypes: ("delta" | "check.failed" | "check.recovered" | "check.held" | "schema.changed" | "record.quiet" | "webhook.disabled")[];
            filters: components["schemas"]["WebhookFilters"] | null;
            condition: components["schemas"]["Condition"] | null;
            /**
             * @description The form of bodies: `json`, the members alone; `cloudevents`, as the `data` of a CloudEvent 1.0 in structured mode; `slack`, `teams`, `discord` or `ntfy`, a message for people at the URL of a chat; or `mail`, a mail to a `mailto:` URL.
             * @enum {string}
             */
            format: "json" | "cloudevents" | "slack" | "teams" | "discord" | "ntfy" | "mail";
            /**
             * @description What the body of a `delta` says of the rows: `keys`, the first 100 of each change type, or `rows`, also the values of those that the filters select, before and after. Messages for people show the first rows with either.
             * @enum {string}
             */
            include: "keys" | "rows";
            /** @description The largest body with rows, in bytes. `rowsUrl` continues with the rows that do not fit. */
            maxBodyBytes: number;
            fields: string[] | null;
            /** @description The events of a record are sent one at a time, in their order: each waits until the one before has ended. */
            ordered: boolean;
            /**
             * @description With `ordered`, what happens when a delivery has failed in all its attempts: `block`, the later ones of the record wait until it was sent again and arrived, or `skip`, they are sent without it.
             * @enum {string}
             */
            onFailure: "block" | "skip";
            /** @description After how many hours without a change `record.quiet` is sent. */
            quietHours: number;
            /** @description After how many failed checks in a row `check.failed` is sent. `check.recovered` is sent only after as many. */
            failingAfter: number;
            digest: components["schemas"]["Digest"] | null;
            previousSecretUntil: string | null;
            failingSince: string | null;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:04.512Z
             */
            createdAt: string;
            activity?: components["schemas"]["WebhookActivity"];
        };
        /**
         * WebhookActivity
         * @example {
         *       "since": "2026-01-31T09:00:00.000Z",
         *       "delivered": 41,
         *       "failed": 1,
         *       "pending": 0,
         *       "cancelled": 0,
         *       "lastDelivery": {
         *         "id": "dlv_019a346c20117b3c8d4e5f6071829304",
         *         "status": "delivered",
         *         "createdAt": "2026-03-02T09:00:04.512Z",
         *         "finishedAt": "2026-03-02T09:00:04.512Z"
         *       }
         *     }
         */
        WebhookActivity: {
            /**
             * Format: date-time
             * @description Deliveries created since are counted: those of the last 30 days, and of these the newest 500.
             * @example 2026-03-02T09:00:04.512Z
             */
            since: string;
            delivered: number;
            /** @description Failed in every attempt. */
            failed: number;
            pending: number;
            cancelled: number;
            lastDelivery: components["schemas"]["LastDelivery"] | null;
        };
        /**
         * WebhookDisabledPayload
         * @example {
         *       "event": "webhook.disabled",
         *       "type": "webhook.disabled",
         *       "timestamp": "2026-03-02T09:00:04.512Z",
         *       "webhookId": "wh_019a30112233744586a7b8c9d0e1f203",
         *       "sourceId": "src_019a2f6b7c8d7e9fa0b1c2d3e4f50617",
         *       "sourceName": "Shop prices",
         *       "sourceSlug": "shop-prices",
         *       "deltaEventId": null,
         *       "disabledWebhookId": "wh_019a30115566744586a7b8c9d0e1f204",
         *       "disabledAt": "2026-03-02T09:00:04.512Z",
         *       "disabledReason": "The endpoint answered 410 Gone."
         *     }
         */
        WebhookDisabledPayload: {
            /** @constant */
            event: "webhook.disabled";
            /**
             * @description The same as `event`, under the name of Standard Webhooks.
             * @constant
             */
            type: "webhook.disabled";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-02T09:00:04.512Z
             */
            timestamp: string;
            webhookId: string;
            /** @description The record. */
            sourceId: string;
            sourceName: string;
            sourceSlug: string;
            /** @description true: a requested example. Real events omit it. */
            isTest?: boolean;
            deltaEventId: string | null;
            /** @description Another webhook of the record or of the account. */
            disabledWebhookId: string;
            /**
             * Format: date-time
             * @example 2026-03-02T09:00:04.512Z
             */
            disabledAt: string;
            disabledReason: string;
        };
        /**
         * WebhookFilters
         * @example {
         *       "changeTypes": [
         *         "new",
         *         "changed"
         *       ],
         *       "columns": [
         *         "price"
         *       ]
         *     }
         */
        WebhookFilters: {
            /** @description Only rows with these change types count. */
            changeTypes?: ("new" | "changed" | "deleted")[];
            /** @description A changed row counts when one of these columns differs. */
            columns?: string[];
            /** @description At least this many rows must count. */
            minChanges?: number;
        };
        /**
         * WebhookSources
         * @description Either `ids` or `labels`.
         * @example {
         *       "labels": {
         *         "team": "prices"
         *       }
         *     }
         */
        WebhookSources: {
            /** @description These records, at least one in a new webhook. A deleted one leaves the list, and a list that is left empty can be sent back. */
            ids?: string[];
            /** @description Records that have all of these labels, when something happens. */
            labels?: {
                [key: string]: string;
            };
        };
    };
    responses: {
        /** @description `body_too_large`: The request body is too large. */
        BodyTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "body_too_large";
                };
            };
        };
        /** @description `conflict`: Conflict with the present state. */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "conflict";
                };
            };
        };
        /** @description `conflict`: Conflict with the present state. `idempotency_in_progress`: The first request with this Idempotency-Key still runs. */
        ConflictOrIdempotencyInProgress: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "conflict" | "idempotency_in_progress";
                };
            };
        };
        /** @description `different_keys`: The two versions are keyed differently. */
        DifferentKeys: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "different_keys";
                };
            };
        };
        /** @description `different_keys`: The two versions are keyed differently. `query_too_expensive`: This question takes too long to answer. */
        DifferentKeysOrQueryTooExpensive: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "different_keys" | "query_too_expensive";
                };
            };
        };
        /** @description `gone`: No longer available. */
        Gone: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "gone";
                };
            };
        };
        /** @description `headers_too_large`: The request’s headers are too large. */
        HeadersTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "headers_too_large";
                };
            };
        };
        /** @description `host_not_allowed`: The request is for another host. */
        HostNotAllowed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "host_not_allowed";
                };
            };
        };
        /** @description `idempotency_in_progress`: The first request with this Idempotency-Key still runs. */
        IdempotencyInProgress: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "idempotency_in_progress";
                };
            };
        };
        /** @description `insufficient_scope`: The credential’s scope does not allow this. */
        InsufficientScope: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "insufficient_scope";
                };
            };
        };
        /** @description `insufficient_scope`: The credential’s scope does not allow this. `recent_sign_in_required`: The last sign-in is too long ago for this. */
        InsufficientScopeOrRecentSignInRequired: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "insufficient_scope" | "recent_sign_in_required";
                };
            };
        };
        /** @description `internal`: Something went wrong on our side. */
        Internal: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "internal";
                };
            };
        };
        /** @description `invalid_parameter`: A parameter is not valid. */
        InvalidParameter: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "invalid_parameter";
                };
            };
        };
        /** @description `invalid_parameter`: A parameter is not valid. `invalid_cursor`: The cursor is not valid here. */
        InvalidParameterOrInvalidCursor: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "invalid_parameter" | "invalid_cursor";
                };
            };
        };
        /** @description `malformed_json`: The body is not valid JSON. `invalid_parameter`: A parameter is not valid. */
        MalformedJsonOrInvalidParameter: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "malformed_json" | "invalid_parameter";
                };
            };
        };
        /** @description `not_found`: Not found. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "not_found";
                };
            };
        };
        /** @description `plan_required`: The account’s plan does not include this. */
        PlanRequired: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "plan_required";
                };
            };
        };
        /** @description `query_too_expensive`: This question takes too long to answer. */
        QueryTooExpensive: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "query_too_expensive";
                };
            };
        };
        /** @description `rate_limited`: Too many requests. */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "rate_limited";
                };
            };
        };
        /** @description `request_timeout`: The request did not arrive in time. */
        RequestTimeout: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "request_timeout";
                };
            };
        };
        /** @description `unauthenticated`: No valid credential. */
        Unauthenticated: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "unauthenticated";
                };
            };
        };
        /** @description `unavailable`: A part of the service does not answer. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "unavailable";
                };
            };
        };
        /** @description `unsupported_media_type`: The body must be application/json. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "unsupported_media_type";
                };
            };
        };
        /** @description `validation_failed`: The request is not valid. */
        ValidationFailed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "validation_failed";
                };
            };
        };
        /** @description `validation_failed`: The request is not valid. `different_keys`: The two versions are keyed differently. `query_too_expensive`: This question takes too long to answer. */
        ValidationFailedOrDifferentKeysOrQueryTooExpensive: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "validation_failed" | "different_keys" | "query_too_expensive";
                };
            };
        };
        /** @description `validation_failed`: The request is not valid. `idempotency_key_reused`: This Idempotency-Key belongs to another request. */
        ValidationFailedOrIdempotencyKeyReused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "validation_failed" | "idempotency_key_reused";
                };
            };
        };
        /** @description `validation_failed`: The request is not valid. `idempotency_key_reused`: This Idempotency-Key belongs to another request. `query_too_expensive`: This question takes too long to answer. */
        ValidationFailedOrIdempotencyKeyReusedOrQueryTooExpensive: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "validation_failed" | "idempotency_key_reused" | "query_too_expensive";
                };
            };
        };
        /** @description `validation_failed`: The request is not valid. `query_too_expensive`: This question takes too long to answer. */
        ValidationFailedOrQueryTooExpensive: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "validation_failed" | "query_too_expensive";
                };
            };
        };
        /** @description `validation_failed`: The request is not valid. `url_not_allowed`: This URL is not allowed. */
        ValidationFailedOrUrlNotAllowed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "validation_failed" | "url_not_allowed";
                };
            };
        };
        /** @description `validation_failed`: The request is not valid. `url_not_allowed`: This URL is not allowed. `idempotency_key_reused`: This Idempotency-Key belongs to another request. */
        ValidationFailedOrUrlNotAllowedOrIdempotencyKeyReused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "validation_failed" | "url_not_allowed" | "idempotency_key_reused";
                };
            };
        };
        /** @description `validation_failed`: The request is not valid. `url_not_allowed`: This URL is not allowed. `idempotency_key_reused`: This Idempotency-Key belongs to another request. `query_too_expensive`: This question takes too long to answer. */
        ValidationFailedOrUrlNotAllowedOrIdempotencyKeyReusedOrQueryTooExpensive: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "validation_failed" | "url_not_allowed" | "idempotency_key_reused" | "query_too_expensive";
                };
            };
        };
    };
    parameters: {
        /**
         * @description Makes it safe to repeat the request: for 24 hours the same key with the same body gets the first response, without secrets that it contained. Another body with the same key is refused. Use a random UUID.
         * @example 7c3a7c0e-9a0b-4a52-8f4e-2d1c6b5a4f3e
         */
        IdempotencyKey: string;
        /**
         * @description The `ETag` of your copy: 304 without a body while it is up to date.
         * @example "5d8c72a5edda8d6a"
         */
        IfNoneMatch: string;
        /**
         * @description For a stream of events: the `id` of the last one that you have processed.
         * @example eyJ2IjoxfQ.nP3xQk9s
         */
        LastEventId: string;
        /**
         * @description Delays the response for at most this many seconds (1 to 60): until the check is done or, for events, until there is one.
         * @example wait=30
         */
        Prefer: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Identifies this request in our logs: the one that you sent, if it was well-formed.
         * @example 0f4c7b0a-6f0e-4a53-9d0c-9d1f2e3b4c5d
         */
        "X-Request-Id": string;
        /**
         * @description Identifies this response. Send it as `If-None-Match` to get 304 while the content is the same.
         * @example "5d8c72a5edda8d6a"
         */
        ETag: string;
        /**
         * @description The rest of the quota of this `"account"`, `"session"` or `"address"`: `r` requests, renewed in `t` seconds.
         * @example "account";r=594;t=12
         */
        RateLimit: string;
        /**
         * @description The quota: `q` requests in each window of `w` seconds.
         * @example "account";q=600;w=60
         */
        "RateLimit-Policy": string;
        /**
         * @description `q` of the policy, for clients that read no structured fields.
         * @example 600
         */
        "X-RateLimit-Limit": number;
        /**
         * @description `r` of the quota, likewise.
         * @example 594
         */
        "X-RateLimit-Remaining": number;
        /**
         * @description When the window ends, in seconds since 1970.
         * @example 1772442060
         */
        "X-RateLimit-Reset": number;
        /**
         * @description Seconds to wait before the next try.
         * @example 5
         */
        "Retry-After": number;
        /**
         * @description How to authenticate.
         * @example Bearer
         */
        "WWW-Authenticate": string;
        /**
         * @description The name of the file.
         * @example attachment; filename="prices.csv"
         */
        "Content-Disposition": string;
        /**
         * @description The longest time that the response was delayed.
         * @example wait=30
         */
        "Preference-Applied": string;
        /**
         * @description `true`: this is the response to an earlier request with the same key.
         * @example true
         */
        "Idempotent-Replayed": string;
        /**
         * @description Since when the operation is deprecated (RFC 9745).
         * @example @1767225600
         */
        Deprecation: string;
        /**
         * @description When the operation stops working (RFC 8594).
         * @example Thu, 31 Dec 2026 23:59:59 GMT
         */
        Sunset: string;
        /**
         * @description A page that says what to use instead.
         * @example </docs>; rel="deprecation"
         */
        Link: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listRecords: {
        parameters: {
            query?: {
                /** @description Items in a page: 50 by default, 200 at most (more counts as 200). */
                limit?: number;
                /** @description `nextCursor` of the previous page; empty or omitted for the first page. */
                cursor?: string;
                /** @description By default `desc` (newest first, worst first); by name `asc`. */
                order?: "asc" | "desc";
                /** @description `created` by default. By `health`, records whose latest checks failed come first, then those with a held check. */
                sort?: "created" | "name" | "health" | "lastChange";
                /** @description Only records with this text in their name, slug or URL, ignoring case. */
                search?: string;
                /** @description Only records with this status. */
                status?: "active" | "paused";
                /** @description `failing`: only records whose latest checks failed; `held`: whose last check is held, or that have a held check to decide about; `healthy`: whose last check was good. */
                health?: "failing" | "held" | "healthy";
                /** @description Also count the records by health, whatever `status` and `health` are. */
                counts?: boolean;
                /** @description Only records with this label, as `name:value`; repeatable: all must match. */
                label?: string[];
            };
            header?: {
                /**
                 * @description The `ETag` of your copy: 304 without a body while it is up to date.
                 * @example "5d8c72a5edda8d6a"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListRecordsResult"];
                };
            };
            /** @description Your copy is up to date. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameterOrInvalidCursor"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createRecord: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: for 24 hours the same key with the same body gets the first response, without secrets that it contained. Another body with the same key is refused. Use a random UUID.
                 * @example 7c3a7c0e-9a0b-4a52-8f4e-2d1c6b5a4f3e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description Delays the response for at most this many seconds (1 to 60): until the check is done or, for events, until there is one.
                 * @example wait=30
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateRecordRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Record"];
                };
            };
            400: components["responses"]["MalformedJsonOrInvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailedOrUrlNotAllowedOrIdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRecord: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of your copy: 304 without a body while it is up to date.
                 * @example "5d8c72a5edda8d6a"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Record"];
                };
            };
            /** @description Your copy is up to date. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteRecord: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, without content. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedJsonOrInvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateRecord: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Delays the response for at most this many seconds (1 to 60): until the check is done or, for events, until there is one.
                 * @example wait=30
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateRecordRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Record"];
                };
            };
            400: components["responses"]["MalformedJsonOrInvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailedOrUrlNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    pauseRecord: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: for 24 hours the same key with the same body gets the first response, without secrets that it contained. Another body with the same key is refused. Use a random UUID.
                 * @example 7c3a7c0e-9a0b-4a52-8f4e-2d1c6b5a4f3e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Record"];
                };
            };
            400: components["responses"]["MalformedJsonOrInvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailedOrIdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    resumeRecord: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: for 24 hours the same key with the same body gets the first response, without secrets that it contained. Another body with the same key is refused. Use a random UUID.
                 * @example 7c3a7c0e-9a0b-4a52-8f4e-2d1c6b5a4f3e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Record"];
                };
            };
            400: components["responses"]["MalformedJsonOrInvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailedOrIdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    checkRecord: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: for 24 hours the same key with the same body gets the first response, without secrets that it contained. Another body with the same key is refused. Use a random UUID.
                 * @example 7c3a7c0e-9a0b-4a52-8f4e-2d1c6b5a4f3e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description Delays the response for at most this many seconds (1 to 60): until the check is done or, for events, until there is one.
                 * @example wait=30
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Check"];
                };
            };
            /** @description Accepted: the work continues. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Check"];
                };
            };
            400: components["responses"]["MalformedJsonOrInvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailedOrIdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listChecks: {
        parameters: {
            query?: {
                /** @description Items in a page: 50 by default, 200 at most (more counts as 200). */
                limit?: number;
                /** @description `nextCursor` of the previous page; empty or omitted for the first page. */
                cursor?: string;
                /** @description `desc` (newest first) by default. */
                order?: "asc" | "desc";
            };
            header?: {
                /**
                 * @description The `ETag` of your copy: 304 without a body while it is up to date.
                 * @example "5d8c72a5edda8d6a"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListChecksResult"];
                };
            };
            /** @description Your copy is up to date. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameterOrInvalidCursor"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCheck: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of your copy: 304 without a body while it is up to date.
                 * @example "5d8c72a5edda8d6a"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
                checkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckDetail"];
                };
            };
            /** @description Your copy is up to date. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    acceptCheck: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: for 24 hours the same key with the same body gets the first response, without secrets that it contained. Another body with the same key is refused. Use a random UUID.
                 * @example 7c3a7c0e-9a0b-4a52-8f4e-2d1c6b5a4f3e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description Delays the response for at most this many seconds (1 to 60): until the check is done or, for events, until there is one.
                 * @example wait=30
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
                checkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedCheck"];
                };
            };
            /** @description Accepted: the work continues. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedCheck"];
                };
            };
            400: components["responses"]["MalformedJsonOrInvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailedOrIdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    rejectCheck: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: for 24 hours the same key with the same body gets the first response, without secrets that it contained. Another body with the same key is refused. Use a random UUID.
                 * @example 7c3a7c0e-9a0b-4a52-8f4e-2d1c6b5a4f3e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
                checkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckDetail"];
                };
            };
            400: components["responses"]["MalformedJsonOrInvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailedOrIdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    previewRecord: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: for 24 hours the same key with the same body gets the first response, without secrets that it contained. Another body with the same key is refused. Use a random UUID.
                 * @example 7c3a7c0e-9a0b-4a52-8f4e-2d1c6b5a4f3e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewRecordRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordPreview"];
                };
            };
            400: components["responses"]["MalformedJsonOrInvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailedOrUrlNotAllowedOrIdempotencyKeyReusedOrQueryTooExpensive"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    previewRule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: for 24 hours the same key with the same body gets the first response, without secrets that it contained. Another body with the same key is refused. Use a random UUID.
                 * @example 7c3a7c0e-9a0b-4a52-8f4e-2d1c6b5a4f3e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PreviewRuleRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RulePreview"];
                };
            };
            400: components["responses"]["MalformedJsonOrInvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailedOrIdempotencyKeyReusedOrQueryTooExpensive"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    previewEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PreviewEventsRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventsPreview"];
                };
            };
            400: components["responses"]["MalformedJsonOrInvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailedOrQueryTooExpensive"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description `nextCursor` or the `cursor` of an event; `now` for what happens from now on; omitted for everything. */
                since?: string;
                /** @description Items in a page: 50 by default, 200 at most (more counts as 200). */
                limit?: number;
                /** @description the id of a record, for its events alone */
                sourceId?: string;
                /** @description Only events of this type; repeatable. */
                type?: ("delta" | "check.failed" | "check.recovered" | "check.held" | "record.quiet")[];
                /** @description Only records with this label, as `name:value`; repeatable: all must match. */
                label?: string[];
                /** @description Only deltas that meet this condition, as JSON in the form that webhooks take. Events of other types pass. A page reads a bounded number of rows, so it may be empty although `hasMore` is true. */
                condition?: string;
            };
            header?: {
                /**
                 * @description The `ETag` of your copy: 304 without a body while it is up to date.
                 * @example "5d8c72a5edda8d6a"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description Delays the response for at most this many seconds (1 to 60): until the check is done or, for events, until there is one.
                 * @example wait=30
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description For a stream of events: the `id` of the last one that you have processed.
                 * @example eyJ2IjoxfQ.nP3xQk9s
                 */
                "Last-Event-ID"?: components["parameters"]["LastEventId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListEventsResult"];
                    "text/event-stream": string;
                };
            };
            /** @description Your copy is up to date. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            410: components["responses"]["Gone"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["QueryTooExpensive"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    readAtomFeed: {
        parameters: {
            query?: {
                /** @description the id of a record, for its events alone */
                sourceId?: string;
                /** @description Only events of this type; repeatable. */
                type?: ("delta" | "check.failed" | "check.recovered" | "check.held" | "record.quiet")[];
                /** @description Only records with this label, as `name:value`; repeatable: all must match. */
                label?: string[];
                /** @description Only deltas that meet this condition, as JSON in the form that webhooks take. Events of other types pass. It chooses among the newest events. With a key of the scope `feed` it may ask for counts, not for rows. */
                condition?: string;
            };
            header?: {
                /**
                 * @description The `ETag` of your copy: 304 without a body while it is up to date.
                 * @example "5d8c72a5edda8d6a"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example <?xml version="1.0" encoding="utf-8"?>
                     *     <feed xmlns="http://www.w3.org/2005/Atom">
                     *         <id>urn:uuid:019a2f6b-7c8d-7e9f-a0b1-c2d3e4f50617</id>
                     *         <title>Recordwatch</title>
                     *         <updated>2026-03-02T09:00:04.512Z</updated>
                     *         <author>
                     *             <name>Recordwatch</name>
                     *         </author>
                     *         <link rel="alternate" href="https://recordwatch.example/dashboard/records"/>
                     *         <entry>
                     *             <title type="html"><![CDATA[Shop prices: 1 changed of 418 rows]]></title>
                     *             <id>urn:uuid:019a346c-1d2e-7a4b-9c8d-7e6f50413223</id>
                     *             <link href="https://recordwatch.example/dashboard/records/src_019a2f6b7c8d7e9fa0b1c2d3e4f50617/changes/evt_019a346c1d2e7a4b9c8d7e6f50413223"/>
                     *             <updated>2026-03-02T09:00:04.512Z</updated>
                     *             <content type="html"><![CDATA[<p>1 row changed</p><ul><li>A-1001</li></ul><p><a href="https://recordwatch.example/v1/sources/src_019a2f6b7c8d7e9fa0b1c2d3e4f50617/delta/evt_019a346c1d2e7a4b9c8d7e6f50413223/rows">Rows in the API</a></p>]]></content>
                     *             <category term="delta"/>
                     *             <published>2026-03-02T09:00:04.512Z</published>
                     *         </entry>
                     *     </feed>
                     */
                    "application/atom+xml": string;
                };
            };
            /** @description Your copy is up to date. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["QueryTooExpensive"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLatestDeltaEvent: {
        parameters: {
            query?: {
                /** @description Keys of each kind to show: 100 by default, 1000 at most (more counts as 1000). */
                keysLimit?: number;
            };
            header?: {
                /**
                 * @description The `ETag` of your copy: 304 without a body while it is up to date.
                 * @example "5d8c72a5edda8d6a"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeltaEvent"];
                };
            };
            /** @description Your copy is up to date. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["QueryTooExpensive"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDeltaEvents: {
        parameters: {
            query?: {
                /** @description Items in a page: 50 by default, 200 at most (more counts as 200). */
                limit?: number;
                /** @description `nextCursor` of the previous page; empty or omitted for the first page. */
                cursor?: string;
                /** @description `desc` (newest first) by default. */
                order?: "asc" | "desc";
                /** @description Only events after this ISO 8601 time or event id. */
                since?: string;
                /** @description Only events up to this ISO 8601 time or event id, inclusive. */
                until?: string;
                /** @description Only events with changes. */
                changesOnly?: boolean;
                /** @description Keys of each kind to show: 100 by default, 100 at most (more counts as 100). */
                keysLimit?: number;
                /** @description Shows so many rows of each event as `firstRows`: changed rows first, then new ones, then deleted ones. */
                firstRows?: number;
            };
            header?: {
                /**
                 * @description The `ETag` of your copy: 304 without a body while it is up to date.
                 * @example "5d8c72a5edda8d6a"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListDeltaEventsResult"];
                };
            };
            /** @description Your copy is up to date. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameterOrInvalidCursor"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDeltaEvent: {
        parameters: {
            query?: {
                /** @description Keys of each kind to show: 100 by default, 1000 at most (more counts as 1000). */
                keysLimit?: number;
            };
            header?: {
                /**
                 * @description The `ETag` of your copy: 304 without a body while it is up to date.
                 * @example "5d8c72a5edda8d6a"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
                deltaEventId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeltaEvent"];
                };
            };
            /** @description Your copy is up to date. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["QueryTooExpensive"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDeltaRows: {
        parameters: {
            query?: {
                /** @description Items in a page: 1000 by default, 5000 at most (more counts as 5000). */
                limit?: number;
                /** @description `nextCursor` of the previous page; empty or omitted for the first page. */
                cursor?: string;
                /** @description Only rows of this type. */
                changeType?: "new" | "changed" | "deleted";
                /** @description text without NUL, of 1 to 200 characters: rows with it in a value or in the key, ignoring case */
                search?: string;
                /** @description With `search`: search only in this column. Up to 20 times. */
                field?: string[];
                /** @description Only changed rows in which this column differs. Up to 20 times: one of the columns must differ. */
                changedField?: string[];
                /** @description the id of a delivery of this event, for only the rows and the columns that its webhook selected. The `rowsUrl` of a delivery with rows has it. Not with another selection. */
                delivery?: string;
            };
            header?: {
                /**
                 * @description The `ETag` of your copy: 304 without a body while it is up to date.
                 * @example "5d8c72a5edda8d6a"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
                /** @description the id of a delta event, or `latest` */
                deltaEventId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListDeltaRowsResult"];
                };
            };
            /** @description Your copy is up to date. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameterOrInvalidCursor"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailedOrQueryTooExpensive"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    downloadDelta: {
        parameters: {
            query?: {
                /** @description `csv` by default. */
                format?: "csv" | "jsonl";
                /** @description Of CSV: `spreadsheet` puts an apostrophe before each cell that a spreadsheet could take for a formula, except numbers, and before those that begin with one; removing it restores the cell. `none` by default. */
                escape?: "none" | "spreadsheet";
            };
            header?: {
                /**
                 * @description The `ETag` of your copy: 304 without a body while it is up to date.
                 * @example "5d8c72a5edda8d6a"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
                /** @description the id of a delta event, or `latest` */
                deltaEventId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example change_type,row,key,sku,name,price
                     *     changed,before,A-1001,A-1001,Kettle,24.90
                     *     changed,after,A-1001,A-1001,Kettle,22.90
                     */
                    "text/csv": string;
                    /** @example {"key":"A-1001","changeType":"changed","before":{"sku":"A-1001","name":"Kettle","price":"24.90"},"after":{"sku":"A-1001","name":"Kettle","price":"22.90"},"changedFields":["price"]} */
                    "application/jsonl": string;
                };
            };
            /** @description Your copy is up to date. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRecordActivity: {
        parameters: {
            query?: {
                /** @description An ISO 8601 time in the first step. By default 30 days before `until`. */
                since?: string;
                /** @description An ISO 8601 time, exclusive. By default the end of the current step. */
                until?: string;
                /** @description `day` by default. */
                step?: "hour" | "day";
            };
            header?: {
                /**
                 * @description The `ETag` of your copy: 304 without a body while it is up to date.
                 * @example "5d8c72a5edda8d6a"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetRecordActivityResult"];
                };
            };
            /** @description Your copy is up to date. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listActivity: {
        parameters: {
            query?: {
                /** @description Items in a page: 50 by default, 200 at most (more counts as 200). */
                limit?: number;
                /** @description `nextCursor` of the previous page; empty or omitted for the first page. */
                cursor?: string;
                /** @description Number of days: 30 by default. */
                days?: number;
                /** @description Only the record with this id; repeatable. */
                sourceId?: string[];
            };
            header?: {
                /**
                 * @description The `ETag` of your copy: 304 without a body while it is up to date.
                 * @example "5d8c72a5edda8d6a"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListActivityResult"];
                };
            };
            /** @description Your copy is up to date. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameterOrInvalidCursor"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSnapshots: {
        parameters: {
            query?: {
                /** @description Items in a page: 100 by default, 100 at most (more counts as 100). */
                limit?: number;
                /** @description `nextCursor` of the previous page; empty or omitted for the first page. */
                cursor?: string;
                /** @description `desc` (newest first) by default. */
                order?: "asc" | "desc";
            };
            header?: {
                /**
                 * @description The `ETag` of your copy: 304 without a body while it is up to date.
                 * @example "5d8c72a5edda8d6a"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSnapshotsResult"];
                };
            };
            /** @description Your copy is up to date. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameterOrInvalidCursor"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSnapshot: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of your copy: 304 without a body while it is up to date.
                 * @example "5d8c72a5edda8d6a"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
                /** @description the id of a snapshot, or `latest` */
                snapshotId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Snapshot"];
                };
            };
            /** @description Your copy is up to date. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    downloadSnapshot: {
        parameters: {
            query?: {
                /** @description `csv` by default. */
                format?: "csv" | "jsonl";
                /** @description Of CSV: `spreadsheet` puts an apostrophe before each cell that a spreadsheet could take for a formula, except numbers, and before those that begin with one; removing it restores the cell. `none` by default. */
                escape?: "none" | "spreadsheet";
                /** @description text without NUL, of 1 to 200 characters: rows with it in a value or in the key, ignoring case */
                search?: string;
                /** @description With `search`: search only in this column. Up to 20 times. */
                field?: string[];
                /** @description Operators by column, all of which must hold: `filter[price][gt]=10`. `eq`, `ne`, `in` (repeated for each value), `contains` and `startsWith` compare text exactly. `gt`, `gte`, `lt` and `lte` compare plain numbers exactly as numbers, and everything else as text, byte by byte; they never match an empty cell. `exists`: the row has the column. `empty`: its value is missing, null or empty. */
                filter?: {
                    [key: string]: {
                        /** @description text without NUL, of at most 1,000 characters */
                        eq?: string;
                        /** @description text without NUL, of at most 1,000 characters */
                        ne?: string;
                        /** @description text without NUL, of at most 1,000 characters */
                        gt?: string;
                        /** @description text without NUL, of at most 1,000 characters */
                        gte?: string;
                        /** @description text without NUL, of at most 1,000 characters */
                        lt?: string;
                        /** @description text without NUL, of at most 1,000 characters */
                        lte?: string;
                        /** @description text without NUL, of at most 1,000 characters */
                        contains?: string;
                        /** @description text without NUL, of at most 1,000 characters */
                        startsWith?: string;
                        in?: string[];
                        exists?: boolean;
                        empty?: boolean;
                    };
                };
            };
            header?: {
                /**
                 * @description The `ETag` of your copy: 304 without a body while it is up to date.
                 * @example "5d8c72a5edda8d6a"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
                /** @description the id of a snapshot, or `latest` */
                snapshotId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example sku,name,price
                     *     A-1001,Kettle,22.90
                     */
                    "text/csv": string;
                    /** @example {"sku":"A-1001","name":"Kettle","price":"22.90"} */
                    "application/jsonl": string;
                };
            };
            /** @description Your copy is up to date. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailedOrQueryTooExpensive"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createDownloadLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
                /** @description the id of a snapshot, or `latest` */
                snapshotId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateDownloadLinkRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DownloadLink"];
                };
            };
            400: components["responses"]["MalformedJsonOrInvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    followDownloadLink: {
        parameters: {
            query: {
                /** @description The token from the link. */
                token: string;
            };
            header?: {
                /**
                 * @description The `ETag` of your copy: 304 without a body while it is up to date.
                 * @example "5d8c72a5edda8d6a"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example sku,name,price
                     *     A-1001,Kettle,22.90
                     */
                    "text/csv": string;
                    /** @example {"sku":"A-1001","name":"Kettle","price":"22.90"} */
                    "application/jsonl": string;
                };
            };
            /** @description Your copy is up to date. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["QueryTooExpensive"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRowsOfSnapshot: {
        parameters: {
            query?: {
                /** @description Items in a page: 20 by default, 100 at most (more counts as 100). */
                limit?: number;
                /** @description `nextCursor` of the previous page; empty or omitted for the first page. */
                cursor?: string;
                /** @description text without NUL, of 1 to 200 characters: rows with it in a value or in the key, ignoring case */
                search?: string;
                /** @description With `search`: search only in this column. Up to 20 times. */
                field?: string[];
                /** @description Operators by column, all of which must hold: `filter[price][gt]=10`. `eq`, `ne`, `in` (repeated for each value), `contains` and `startsWith` compare text exactly. `gt`, `gte`, `lt` and `lte` compare plain numbers exactly as numbers, and everything else as text, byte by byte; they never match an empty cell. `exists`: the row has the column. `empty`: its value is missing, null or empty. */
                filter?: {
                    [key: string]: {
                        /** @description text without NUL, of at most 1,000 characters */
                        eq?: string;
                        /** @description text without NUL, of at most 1,000 characters */
                        ne?: string;
                        /** @description text without NUL, of at most 1,000 characters */
                        gt?: string;
                        /** @description text without NUL, of at most 1,000 characters */
                        gte?: string;
                        /** @description text without NUL, of at most 1,000 characters */
                        lt?: string;
                        /** @description text without NUL, of at most 1,000 characters */
                        lte?: string;
                        /** @description text without NUL, of at most 1,000 characters */
                        contains?: string;
                        /** @description text without NUL, of at most 1,000 characters */
                        startsWith?: string;
                        in?: string[];
                        exists?: boolean;
                        empty?: boolean;
                    };
                };
            };
            header?: {
                /**
                 * @description The `ETag` of your copy: 304 without a body while it is up to date.
                 * @example "5d8c72a5edda8d6a"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
                /** @description the id of a snapshot, or `latest` */
                snapshotId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListRowsOfSnapshotResult"];
                };
            };
            /** @description Your copy is up to date. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameterOrInvalidCursor"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailedOrQueryTooExpensive"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSnapshotRows: {
        parameters: {
            query?: {
                /** @description Items in a page: 20 by default, 100 at most (more counts as 100). */
                limit?: number;
                /** @description `nextCursor` of the previous page; empty or omitted for the first page. */
                cursor?: string;
                /** @description text without NUL, of 1 to 200 characters: rows with it in a value or in the key, ignoring case */
                search?: string;
                /** @description With `search`: search only in this column. Up to 20 times. */
                field?: string[];
                /** @description Operators by column, all of which must hold: `filter[price][gt]=10`. `eq`, `ne`, `in` (repeated for each value), `contains` and `startsWith` compare text exactly. `gt`, `gte`, `lt` and `lte` compare plain numbers exactly as numbers, and everything else as text, byte by byte; they never match an empty cell. `exists`: the row has the column. `empty`: its value is missing, null or empty. */
                filter?: {
                    [key: string]: {
                        /** @description text without NUL, of at most 1,000 characters */
                        eq?: string;
                        /** @description text without NUL, of at most 1,000 characters */
                        ne?: string;
                        /** @description text without NUL, of at most 1,000 characters */
                        gt?: string;
                        /** @description text without NUL, of at most 1,000 characters */
                        gte?: string;
                        /** @description text without NUL, of at most 1,000 characters */
                        lt?: string;
                        /** @description text without NUL, of at most 1,000 characters */
                        lte?: string;
                        /** @description text without NUL, of at most 1,000 characters */
                        contains?: string;
                        /** @description text without NUL, of at most 1,000 characters */
                        startsWith?: string;
                        in?: string[];
                        exists?: boolean;
                        empty?: boolean;
                    };
                };
            };
            header?: {
                /**
                 * @description The `ETag` of your copy: 304 without a body while it is up to date.
                 * @example "5d8c72a5edda8d6a"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSnapshotRowsResult"];
                };
            };
            /** @description Your copy is up to date. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameterOrInvalidCursor"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailedOrQueryTooExpensive"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    sampleSnapshotRows: {
        parameters: {
            query?: {
                /** @description Items in a page: 20 by default, 100 at most (more counts as 100). */
                limit?: number;
                /** @description The name of a column. */
                stratifyBy?: string;
                /** @description text without NUL, of 1 to 200 characters: rows with it in a value or in the key, ignoring case */
                search?: string;
                /** @description With `search`: search only in this column. Up to 20 times. */
                field?: string[];
                /** @description Operators by column, all of which must hold: `filter[price][gt]=10`. `eq`, `ne`, `in` (repeated for each value), `contains` and `startsWith` compare text exactly. `gt`, `gte`, `lt` and `lte` compare plain numbers exactly as numbers, and everything else as text, byte by byte; they never match an empty cell. `exists`: the row has the column. `empty`: its value is missing, null or empty. */
                filter?: {
                    [key: string]: {
                        /** @description text without NUL, of at most 1,000 characters */
                        eq?: string;
                        /** @description text without NUL, of at most 1,000 characters */
                        ne?: string;
                        /** @description text without NUL, of at most 1,000 characters */
                        gt?: string;
                        /** @description text without NUL, of at most 1,000 characters */
                        gte?: string;
                        /** @description text without NUL, of at most 1,000 characters */
                        lt?: string;
                        /** @description text without NUL, of at most 1,000 characters */
                        lte?: string;
                        /** @description text without NUL, of at most 1,000 characters */
                        contains?: string;
                        /** @description text without NUL, of at most 1,000 characters */
                        startsWith?: string;
                        in?: string[];
                        exists?: boolean;
                        empty?: boolean;
                    };
                };
            };
            header?: {
                /**
                 * @description The `ETag` of your copy: 304 without a body while it is up to date.
                 * @example "5d8c72a5edda8d6a"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
                /** @description the id of a snapshot, or `latest` */
                snapshotId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RowSample"];
                };
            };
            /** @description Your copy is up to date. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailedOrQueryTooExpensive"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSnapshotProfile: {
        parameters: {
            query?: {
                /** @description Only this column. Up to 100 times. */
                field?: string[];
            };
            header?: {
                /**
                 * @description The `ETag` of your copy: 304 without a body while it is up to date.
                 * @example "5d8c72a5edda8d6a"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
                /** @description the id of a snapshot, or `latest` */
                snapshotId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Profile"];
                };
            };
            /** @description Your copy is up to date. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailedOrQueryTooExpensive"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    querySnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
                /** @description the id of a snapshot, or `latest` */
                snapshotId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["QuerySnapshotRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryResult"];
                };
            };
            400: components["responses"]["MalformedJsonOrInvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailedOrQueryTooExpensive"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRow: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of your copy: 304 without a body while it is up to date.
                 * @example "5d8c72a5edda8d6a"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
                /** @description A row’s key, percent-encoded. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SnapshotRow"];
                };
            };
            /** @description Your copy is up to date. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRowHistory: {
        parameters: {
            query?: {
                /** @description Items in a page: 50 by default, 200 at most (more counts as 200). */
                limit?: number;
                /** @description `nextCursor` of the previous page; empty or omitted for the first page. */
                cursor?: string;
                /** @description `desc` (newest first) by default. */
                order?: "asc" | "desc";
            };
            header?: {
                /**
                 * @description The `ETag` of your copy: 304 without a body while it is up to date.
                 * @example "5d8c72a5edda8d6a"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
                /** @description A row’s key, percent-encoded. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetRowHistoryResult"];
                };
            };
            /** @description Your copy is up to date. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameterOrInvalidCursor"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["DifferentKeys"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    compareSnapshots: {
        parameters: {
            query?: {
                /** @description the id of a snapshot, or `latest` */
                from?: string;
                /** @description the id of a snapshot, or `latest` */
                to?: string;
                /** @description Keys of each kind to show: 100 by default, 1000 at most (more counts as 1000). */
                keysLimit?: number;
            };
            header?: {
                /**
                 * @description The `ETag` of your copy: 304 without a body while it is up to date.
                 * @example "5d8c72a5edda8d6a"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Comparison"];
                };
            };
            /** @description Your copy is up to date. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["DifferentKeysOrQueryTooExpensive"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    compareSnapshotRows: {
        parameters: {
            query?: {
                /** @description the id of a snapshot, or `latest` */
                from?: string;
                /** @description the id of a snapshot, or `latest` */
                to?: string;
                /** @description Items in a page: 1000 by default, 5000 at most (more counts as 5000). */
                limit?: number;
                /** @description `nextCursor` of the previous page; empty or omitted for the first page. */
                cursor?: string;
                /** @description Only rows of this type. */
                changeType?: "new" | "changed" | "deleted";
                /** @description text without NUL, of 1 to 200 characters: rows with it in a value or in the key, ignoring case */
                search?: string;
                /** @description With `search`: search only in this column. Up to 20 times. */
                field?: string[];
                /** @description Only changed rows in which this column differs. Up to 20 times: one of the columns must differ. */
                changedField?: string[];
            };
            header?: {
                /**
                 * @description The `ETag` of your copy: 304 without a body while it is up to date.
                 * @example "5d8c72a5edda8d6a"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompareSnapshotRowsResult"];
                };
            };
            /** @description Your copy is up to date. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameterOrInvalidCursor"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailedOrDifferentKeysOrQueryTooExpensive"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description Items in a page: 50 by default, 200 at most (more counts as 200). */
                limit?: number;
                /** @description `nextCursor` of the previous page; empty or omitted for the first page. */
                cursor?: string;
                /** @description `desc` (newest first) by default. */
                order?: "asc" | "desc";
                /** @description Adds `activity`: the last delivery, and how many arrived and failed in the last 30 days. */
                activity?: boolean;
            };
            header?: {
                /**
                 * @description The `ETag` of your copy: 304 without a body while it is up to date.
                 * @example "5d8c72a5edda8d6a"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListWebhooksResult"];
                };
            };
            /** @description Your copy is up to date. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameterOrInvalidCursor"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanRequired"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: for 24 hours the same key with the same body gets the first response, without secrets that it contained. Another body with the same key is refused. Use a random UUID.
                 * @example 7c3a7c0e-9a0b-4a52-8f4e-2d1c6b5a4f3e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhook"];
                };
            };
            400: components["responses"]["MalformedJsonOrInvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanRequired"];
            403: components["responses"]["InsufficientScopeOrRecentSignInRequired"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailedOrUrlNotAllowedOrIdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWebhook: {
        parameters: {
            query?: {
                /** @description Adds `activity`: the last delivery, and how many arrived and failed in the last 30 days. */
                activity?: boolean;
            };
            header?: {
                /**
                 * @description The `ETag` of your copy: 304 without a body while it is up to date.
                 * @example "5d8c72a5edda8d6a"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description Your copy is up to date. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanRequired"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, without content. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedJsonOrInvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanRequired"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["MalformedJsonOrInvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanRequired"];
            403: components["responses"]["InsufficientScopeOrRecentSignInRequired"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailedOrUrlNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: for 24 hours the same key with the same body gets the first response, without secrets that it contained. Another body with the same key is refused. Use a random UUID.
                 * @example 7c3a7c0e-9a0b-4a52-8f4e-2d1c6b5a4f3e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateWebhookSecretRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhook"];
                };
            };
            400: components["responses"]["MalformedJsonOrInvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanRequired"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailedOrIdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: for 24 hours the same key with the same body gets the first response, without secrets that it contained. Another body with the same key is refused. Use a random UUID.
                 * @example 7c3a7c0e-9a0b-4a52-8f4e-2d1c6b5a4f3e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description Delays the response for at most this many seconds (1 to 60): until the check is done or, for events, until there is one.
                 * @example wait=30
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TestWebhookRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            /** @description Accepted: the work continues. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["MalformedJsonOrInvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanRequired"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailedOrIdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description Items in a page: 50 by default, 200 at most (more counts as 200). */
                limit?: number;
                /** @description `nextCursor` of the previous page; empty or omitted for the first page. */
                cursor?: string;
                /** @description `desc` (newest first) by default. */
                order?: "asc" | "desc";
                /** @description Only deliveries with this status. */
                status?: "pending" | "delivered" | "failed" | "cancelled";
                /** @description Only deliveries of events after this ISO 8601 time or event id. */
                since?: string;
            };
            header?: {
                /**
                 * @description The `ETag` of your copy: 304 without a body while it is up to date.
                 * @example "5d8c72a5edda8d6a"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListDeliveriesResult"];
                };
            };
            /** @description Your copy is up to date. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameterOrInvalidCursor"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanRequired"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of your copy: 304 without a body while it is up to date.
                 * @example "5d8c72a5edda8d6a"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
                webhookId: string;
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            /** @description Your copy is up to date. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanRequired"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    redeliver: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: for 24 hours the same key with the same body gets the first response, without secrets that it contained. Another body with the same key is refused. Use a random UUID.
                 * @example 7c3a7c0e-9a0b-4a52-8f4e-2d1c6b5a4f3e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description Delays the response for at most this many seconds (1 to 60): until the check is done or, for events, until there is one.
                 * @example wait=30
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
                webhookId: string;
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            /** @description Accepted: the work continues. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["MalformedJsonOrInvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanRequired"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailedOrIdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    recoverWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: for 24 hours the same key with the same body gets the first response, without secrets that it contained. Another body with the same key is refused. Use a random UUID.
                 * @example 7c3a7c0e-9a0b-4a52-8f4e-2d1c6b5a4f3e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecoverWebhookRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Recovery"];
                };
            };
            /** @description Accepted: the work continues. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Recovery"];
                };
            };
            400: components["responses"]["MalformedJsonOrInvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanRequired"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            410: components["responses"]["Gone"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailedOrIdempotencyKeyReusedOrQueryTooExpensive"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    previewCondition: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PreviewConditionRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConditionPreview"];
                };
            };
            400: components["responses"]["MalformedJsonOrInvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailedOrQueryTooExpensive"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAccountWebhooks: {
        parameters: {
            query?: {
                /** @description Items in a page: 50 by default, 200 at most (more counts as 200). */
                limit?: number;
                /** @description `nextCursor` of the previous page; empty or omitted for the first page. */
                cursor?: string;
                /** @description `desc` (newest first) by default. */
                order?: "asc" | "desc";
                /** @description Adds `activity`: the last delivery, and how many arrived and failed in the last 30 days. */
                activity?: boolean;
            };
            header?: {
                /**
                 * @description The `ETag` of your copy: 304 without a body while it is up to date.
                 * @example "5d8c72a5edda8d6a"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAccountWebhooksResult"];
                };
            };
            /** @description Your copy is up to date. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameterOrInvalidCursor"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanRequired"];
            403: components["responses"]["InsufficientScope"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createAccountWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: for 24 hours the same key with the same body gets the first response, without secrets that it contained. Another body with the same key is refused. Use a random UUID.
                 * @example 7c3a7c0e-9a0b-4a52-8f4e-2d1c6b5a4f3e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAccountWebhookRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedAccountWebhook"];
                };
            };
            400: components["responses"]["MalformedJsonOrInvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanRequired"];
            403: components["responses"]["InsufficientScopeOrRecentSignInRequired"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailedOrUrlNotAllowedOrIdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAccountWebhook: {
        parameters: {
            query?: {
                /** @description Adds `activity`: the last delivery, and how many arrived and failed in the last 30 days. */
                activity?: boolean;
            };
            header?: {
                /**
                 * @description The `ETag` of your copy: 304 without a body while it is up to date.
                 * @example "5d8c72a5edda8d6a"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountWebhook"];
                };
            };
            /** @description Your copy is up to date. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanRequired"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteAccountWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, without content. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedJsonOrInvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanRequired"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateAccountWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateAccountWebhookRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountWebhook"];
                };
            };
            400: components["responses"]["MalformedJsonOrInvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanRequired"];
            403: components["responses"]["InsufficientScopeOrRecentSignInRequired"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailedOrUrlNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateAccountWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: for 24 hours the same key with the same body gets the first response, without secrets that it contained. Another body with the same key is refused. Use a random UUID.
                 * @example 7c3a7c0e-9a0b-4a52-8f4e-2d1c6b5a4f3e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateAccountWebhookSecretRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedAccountWebhook"];
                };
            };
            400: components["responses"]["MalformedJsonOrInvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanRequired"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailedOrIdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    testAccountWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: for 24 hours the same key with the same body gets the first response, without secrets that it contained. Another body with the same key is refused. Use a random UUID.
                 * @example 7c3a7c0e-9a0b-4a52-8f4e-2d1c6b5a4f3e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description Delays the response for at most this many seconds (1 to 60): until the check is done or, for events, until there is one.
                 * @example wait=30
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TestAccountWebhookRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            /** @description Accepted: the work continues. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["MalformedJsonOrInvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanRequired"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailedOrIdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAccountDeliveries: {
        parameters: {
            query?: {
                /** @description Items in a page: 50 by default, 200 at most (more counts as 200). */
                limit?: number;
                /** @description `nextCursor` of the previous page; empty or omitted for the first page. */
                cursor?: string;
                /** @description `desc` (newest first) by default. */
                order?: "asc" | "desc";
                /** @description Only deliveries with this status. */
                status?: "pending" | "delivered" | "failed" | "cancelled";
                /** @description Only deliveries of events after this ISO 8601 time or event id. */
                since?: string;
            };
            header?: {
                /**
                 * @description The `ETag` of your copy: 304 without a body while it is up to date.
                 * @example "5d8c72a5edda8d6a"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAccountDeliveriesResult"];
                };
            };
            /** @description Your copy is up to date. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameterOrInvalidCursor"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanRequired"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAccountDelivery: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of your copy: 304 without a body while it is up to date.
                 * @example "5d8c72a5edda8d6a"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                webhookId: string;
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            /** @description Your copy is up to date. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanRequired"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    redeliverOfAccount: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: for 24 hours the same key with the same body gets the first response, without secrets that it contained. Another body with the same key is refused. Use a random UUID.
                 * @example 7c3a7c0e-9a0b-4a52-8f4e-2d1c6b5a4f3e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description Delays the response for at most this many seconds (1 to 60): until the check is done or, for events, until there is one.
                 * @example wait=30
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                webhookId: string;
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            /** @description Accepted: the work continues. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["MalformedJsonOrInvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanRequired"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailedOrIdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    recoverAccountWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: for 24 hours the same key with the same body gets the first response, without secrets that it contained. Another body with the same key is refused. Use a random UUID.
                 * @example 7c3a7c0e-9a0b-4a52-8f4e-2d1c6b5a4f3e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecoverAccountWebhookRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Recovery"];
                };
            };
            /** @description Accepted: the work continues. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Recovery"];
                };
            };
            400: components["responses"]["MalformedJsonOrInvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanRequired"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            410: components["responses"]["Gone"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailedOrIdempotencyKeyReusedOrQueryTooExpensive"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    previewAccountCondition: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: for 24 hours the same key with the same body gets the first response, without secrets that it contained. Another body with the same key is refused. Use a random UUID.
                 * @example 7c3a7c0e-9a0b-4a52-8f4e-2d1c6b5a4f3e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PreviewAccountConditionRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConditionPreview"];
                };
            };
            400: components["responses"]["MalformedJsonOrInvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanRequired"];
            403: components["responses"]["InsufficientScope"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailedOrIdempotencyKeyReusedOrQueryTooExpensive"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description Items in a page: 50 by default, 200 at most (more counts as 200). */
                limit?: number;
                /** @description `nextCursor` of the previous page; empty or omitted for the first page. */
                cursor?: string;
                /** @description `desc` (newest first) by default. */
                order?: "asc" | "desc";
            };
            header?: {
                /**
                 * @description The `ETag` of your copy: 304 without a body while it is up to date.
                 * @example "5d8c72a5edda8d6a"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListApiKeysResult"];
                };
            };
            /** @description Your copy is up to date. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameterOrInvalidCursor"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanRequired"];
            403: components["responses"]["InsufficientScope"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: for 24 hours the same key with the same body gets the first response, without secrets that it contained. Another body with the same key is refused. Use a random UUID.
                 * @example 7c3a7c0e-9a0b-4a52-8f4e-2d1c6b5a4f3e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKeyRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
            400: components["responses"]["MalformedJsonOrInvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanRequired"];
            403: components["responses"]["InsufficientScopeOrRecentSignInRequired"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailedOrIdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, without content. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedJsonOrInvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanRequired"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRecordApiKeys: {
        parameters: {
            query?: {
                /** @description Items in a page: 50 by default, 200 at most (more counts as 200). */
                limit?: number;
                /** @description `nextCursor` of the previous page; empty or omitted for the first page. */
                cursor?: string;
                /** @description `desc` (newest first) by default. */
                order?: "asc" | "desc";
            };
            header?: {
                /**
                 * @description The `ETag` of your copy: 304 without a body while it is up to date.
                 * @example "5d8c72a5edda8d6a"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListRecordApiKeysResult"];
                };
            };
            /** @description Your copy is up to date. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameterOrInvalidCursor"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanRequired"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createRecordApiKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: for 24 hours the same key with the same body gets the first response, without secrets that it contained. Another body with the same key is refused. Use a random UUID.
                 * @example 7c3a7c0e-9a0b-4a52-8f4e-2d1c6b5a4f3e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateRecordApiKeyRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
            400: components["responses"]["MalformedJsonOrInvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanRequired"];
            403: components["responses"]["InsufficientScopeOrRecentSignInRequired"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailedOrIdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeRecordApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, without content. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedJsonOrInvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanRequired"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getKeyRequest: {
        parameters: {
            query: {
                /** @description The code that the program shows: two groups of four capital letters, joined by a hyphen. */
                userCode: string;
            };
            header?: {
                /**
                 * @description The `ETag` of your copy: 304 without a body while it is up to date.
                 * @example "5d8c72a5edda8d6a"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyRequest"];
                };
            };
            /** @description Your copy is up to date. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanRequired"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    startKeyRequest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StartKeyRequestRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartedKeyRequest"];
                };
            };
            400: components["responses"]["MalformedJsonOrInvalidParameter"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    collectKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CollectKeyRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectedKey"];
                };
            };
            400: components["responses"]["MalformedJsonOrInvalidParameter"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    answerKeyRequest: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: for 24 hours the same key with the same body gets the first response, without secrets that it contained. Another body with the same key is refused. Use a random UUID.
                 * @example 7c3a7c0e-9a0b-4a52-8f4e-2d1c6b5a4f3e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnswerKeyRequestRequest"];
            };
        };
        responses: {
            /** @description Done, without content. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedJsonOrInvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanRequired"];
            403: components["responses"]["InsufficientScopeOrRecentSignInRequired"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailedOrIdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listConnectedClients: {
        parameters: {
            query?: {
                /** @description Items in a page: 50 by default, 200 at most (more counts as 200). */
                limit?: number;
                /** @description `nextCursor` of the previous page; empty or omitted for the first page. */
                cursor?: string;
                /** @description `desc` (newest first) by default. */
                order?: "asc" | "desc";
            };
            header?: {
                /**
                 * @description The `ETag` of your copy: 304 without a body while it is up to date.
                 * @example "5d8c72a5edda8d6a"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListConnectedClientsResult"];
                };
            };
            /** @description Your copy is up to date. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameterOrInvalidCursor"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    disconnectClient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                connectedClientId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, without content. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedJsonOrInvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUsage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of your copy: 304 without a body while it is up to date.
                 * @example "5d8c72a5edda8d6a"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Usage"];
                };
            };
            /** @description Your copy is up to date. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                /** @description Items in a page: 50 by default, 200 at most (more counts as 200). */
                limit?: number;
                /** @description `nextCursor` of the previous page; empty or omitted for the first page. */
                cursor?: string;
                /** @description `desc` (newest first) by default. */
                order?: "asc" | "desc";
            };
            header?: {
                /**
                 * @description The `ETag` of your copy: 304 without a body while it is up to date.
                 * @example "5d8c72a5edda8d6a"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAuditLogResult"];
                };
            };
            /** @description Your copy is up to date. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameterOrInvalidCursor"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSession: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Delays the response for at most this many seconds (1 to 60): until the check is done or, for events, until there is one.
                 * @example wait=30
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSessionRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedSession"];
                };
            };
            400: components["responses"]["MalformedJsonOrInvalidParameter"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailedOrUrlNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of your copy: 304 without a body while it is up to date.
                 * @example "5d8c72a5edda8d6a"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description Your copy is up to date. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    keepRecord: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes it safe to repeat the request: for 24 hours the same key with the same body gets the first response, without secrets that it contained. Another body with the same key is refused. Use a random UUID.
                 * @example 7c3a7c0e-9a0b-4a52-8f4e-2d1c6b5a4f3e
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id or slug of a record; `self` with a credential for one record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeepRecordRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Record"];
                };
            };
            400: components["responses"]["MalformedJsonOrInvalidParameter"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["ValidationFailedOrIdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    delta: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The delivery: the same on every attempt.
                 * @example dlv_019a346c20117b3c8d4e5f6071829304
                 */
                "webhook-id": string;
                /**
                 * @description The time of this attempt, in seconds since 1970.
                 * @example 1772442005
                 */
                "webhook-timestamp": string;
                /**
                 * @description One signature or, after a rotation of the secret, several separated by spaces. One valid signature is enough.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeltaPayload"];
                "application/cloudevents+json": components["schemas"]["CloudEvent"];
            };
        };
        responses: {
            /** @description Stop sending: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: retried later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    checkFailed: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The delivery: the same on every attempt.
                 * @example dlv_019a346c20117b3c8d4e5f6071829304
                 */
                "webhook-id": string;
                /**
                 * @description The time of this attempt, in seconds since 1970.
                 * @example 1772442005
                 */
                "webhook-timestamp": string;
                /**
                 * @description One signature or, after a rotation of the secret, several separated by spaces. One valid signature is enough.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckFailedPayload"];
                "application/cloudevents+json": components["schemas"]["CloudEvent"];
            };
        };
        responses: {
            /** @description Stop sending: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: retried later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    checkRecovered: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The delivery: the same on every attempt.
                 * @example dlv_019a346c20117b3c8d4e5f6071829304
                 */
                "webhook-id": string;
                /**
                 * @description The time of this attempt, in seconds since 1970.
                 * @example 1772442005
                 */
                "webhook-timestamp": string;
                /**
                 * @description One signature or, after a rotation of the secret, several separated by spaces. One valid signature is enough.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckRecoveredPayload"];
                "application/cloudevents+json": components["schemas"]["CloudEvent"];
            };
        };
        responses: {
            /** @description Stop sending: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: retried later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    checkHeld: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The delivery: the same on every attempt.
                 * @example dlv_019a346c20117b3c8d4e5f6071829304
                 */
                "webhook-id": string;
                /**
                 * @description The time of this attempt, in seconds since 1970.
                 * @example 1772442005
                 */
                "webhook-timestamp": string;
                /**
                 * @description One signature or, after a rotation of the secret, several separated by spaces. One valid signature is enough.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckHeldPayload"];
                "application/cloudevents+json": components["schemas"]["CloudEvent"];
            };
        };
        responses: {
            /** @description Stop sending: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: retried later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    schemaChanged: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The delivery: the same on every attempt.
                 * @example dlv_019a346c20117b3c8d4e5f6071829304
                 */
                "webhook-id": string;
                /**
                 * @description The time of this attempt, in seconds since 1970.
                 * @example 1772442005
                 */
                "webhook-timestamp": string;
                /**
                 * @description One signature or, after a rotation of the secret, several separated by spaces. One valid signature is enough.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SchemaChangedPayload"];
                "application/cloudevents+json": components["schemas"]["CloudEvent"];
            };
        };
        responses: {
            /** @description Stop sending: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: retried later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    recordQuiet: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The delivery: the same on every attempt.
                 * @example dlv_019a346c20117b3c8d4e5f6071829304
                 */
                "webhook-id": string;
                /**
                 * @description The time of this attempt, in seconds since 1970.
                 * @example 1772442005
                 */
                "webhook-timestamp": string;
                /**
                 * @description One signature or, after a rotation of the secret, several separated by spaces. One valid signature is enough.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordQuietPayload"];
                "application/cloudevents+json": components["schemas"]["CloudEvent"];
            };
        };
        responses: {
            /** @description Stop sending: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: retried later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    webhookDisabled: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The delivery: the same on every attempt.
                 * @example dlv_019a346c20117b3c8d4e5f6071829304
                 */
                "webhook-id": string;
                /**
                 * @description The time of this attempt, in seconds since 1970.
                 * @example 1772442005
                 */
                "webhook-timestamp": string;
                /**
                 * @description One signature or, after a rotation of the secret, several separated by spaces. One valid signature is enough.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookDisabledPayload"];
                "application/cloudevents+json": components["schemas"]["CloudEvent"];
            };
        };
        responses: {
            /** @description Stop sending: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: retried later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
