// The used part of the package negotiator. @types/negotiator lacks `preferred`.
declare module 'negotiator' {
  interface NegotiatedRequest {
    headers: Readonly<Record<string, string | string[] | undefined>>;
  }
  export class Negotiator {
    constructor(request: NegotiatedRequest);
    /** @param options `preferred` orders encodings that the client accepts equally */
    encoding<E extends string>(
      available: readonly E[],
      options?: { preferred?: readonly string[] },
    ): E | undefined;
    mediaType<T extends string>(available: readonly T[]): T | undefined;
  }
}
