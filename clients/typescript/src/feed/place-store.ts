// Where a reader of the feed keeps its place, so that it continues after a restart.

export interface PlaceStore {
  /** The stored place; undefined if there is none. */
  load: () => Promise<string | undefined> | string | undefined;
  /** Called after the events up to this place have been handled. Returns when the place is safe. */
  save: (place: string) => Promise<void> | void;
  /** Forgets the place. */
  clear: () => Promise<void> | void;
}

/** Keeps the place as long as the object exists. */
export class MemoryPlaceStore implements PlaceStore {
  #place: string | undefined;

  load(): string | undefined {
    return this.#place;
  }

  save(place: string): void {
    this.#place = place;
  }

  clear(): void {
    this.#place = undefined;
  }
}
