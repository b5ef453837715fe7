// The examples of previews.
import type { JsonObject } from '../named-schemas.ts';
import { EXAMPLE_TIME, id } from './values.ts';

const fell = { some: [{ var: 'rows' }, { '<': [{ percent: 'price' }, -5] }] };

const replayed = {
  deltaEventId: id.event,
  detectedAt: EXAMPLE_TIME,
  summary: { newCount: 0, changedCount: 3, deletedCount: 0 },
  rowsRead: 3,
  underRules: { newCount: 0, changedCount: 1, deletedCount: 0 },
  isReported: true,
};

export const PREVIEW_RESOURCES: JsonObject = {
  RulePreview: {
    sourceId: id.record,
    keyFields: ['name'],
    keySource: 'given',
    keyEvidence: null,
    ignoreFields: [],
    rules: {},
    headerRow: 1,
    quoting: 'double',
    columns: ['sku', 'name', 'price'],
    rowCount: 418,
    totalRows: 416,
    warnings: [{ code: 'duplicate_key', count: 2, samples: ['Kettle'] }],
    error: null,
  },
  RecordPreview: {
    url: 'https://example.com/prices.csv',
    format: 'csv',
    delimiter: ',',
    rowsPath: null,
    headerRow: 1,
    quoting: 'double',
    keyFields: ['sku'],
    keySource: 'given',
    keyEvidence: null,
    ignoreFields: [],
    rules: {},
    pairing: null,
    columns: ['sku', 'name', 'price'],
    rowCount: 418,
    totalRows: 418,
    sizeBytes: 9_431,
    rows: [{ key: 'K-17', data: { sku: 'K-17', name: 'Kettle', price: '24.90' } }],
    warnings: [],
    error: null,
  },
  PreviewedRow: { key: 'K-17', data: { sku: 'K-17', name: 'Kettle', price: '24.90' } },
  EventsPreview: {
    sourceId: id.record,
    ignoreFields: [],
    rules: { price: { as: 'number', tolerance: '1%' } },
    pairing: null,
    events: [replayed],
    isWhole: true,
  },
  ReplayedEvent: replayed,
  ConditionPreview: { since: '2026-01-31T09:00:04.512Z', events: 61, met: 4, undecided: 0, isWhole: true },
  ReportedRows: replayed.summary,
  RowsUnderRules: replayed.underRules,
};

export const PREVIEW_BODIES: Readonly<Record<string, JsonObject>> = {
  previewRecord: {
    'Everything detected': { url: 'https://example.com/prices.csv' },
    'With a key and a header': { url: 'https://example.com/prices.csv', keyFields: ['sku'], headerRow: 3 },
  },
  previewRule: {
    'Preview the name as the key': { keyFields: ['name'] },
    'The key that is detected without a column': { keyFields: null, ignoreFields: ['sku'] },
  },
  previewEvents: {
    'Prices that differ by 1 % or less are the same': { rules: { price: { as: 'number', tolerance: '1%' } } },
    'Without a column': { ignoreFields: ['stock'] },
    'Edited rows without a key as changed': { pairing: 'similarity' },
  },
  previewCondition: {
    'A price fell by more than 5 %': { condition: fell },
    'More than 20 rows were deleted': { condition: { '>': [{ var: 'deletedCount' }, 20] } },
  },
  previewAccountCondition: {
    'Of the records with a label': { condition: fell, sources: { labels: { team: 'prices' } } },
  },
};
