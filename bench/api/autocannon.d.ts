// The part of autocannon's interface that we use; the package has no types.
declare module 'autocannon' {
  interface Options {
    url: string;
    connections: number;
    /** Seconds; or so many requests. */
    duration?: number;
    amount?: number;
    requests: { method: string; path: string; headers: Record<string, string>; body?: string }[];
  }
  interface Result {
    errors: number;
    timeouts: number;
    non2xx: number;
    /** Seconds. */
    duration: number;
    latency: { p50: number; p99: number };
    requests: { total: number };
  }
  export default function autocannon(options: Options): Promise<Result>;
}
