// What the package exports, for browsers and for Node.
export * from './errors.ts';
export { MemoryPlaceStore, type PlaceStore } from './feed/place-store.ts';
export type { FollowOptions } from './feed/follow.ts';
export type { Download } from './http/download.ts';
export type { CallOptions, ChangeOptions, RecordwatchOptions, WaitOptions } from './http/options.ts';
export type { Page, Pages } from './http/pages.ts';
export type * from './models.ts';
export { Recordwatch } from './recordwatch.ts';
