// How long a new key works.

const DAY_MS = 86_400_000;

export const EXPIRIES = [
  { value: 'never', label: 'Never', days: undefined },
  { value: '1', label: 'In a day', days: 1 },
  { value: '7', label: 'In 7 days', days: 7 },
  { value: '30', label: 'In 30 days', days: 30 },
  { value: '90', label: 'In 90 days', days: 90 },
  { value: '365', label: 'In a year', days: 365 },
  { value: 'date', label: 'Custom date…', days: undefined },
] as const;

export type Expiry = (typeof EXPIRIES)[number]['value'];

/** @param day of `date`: YYYY-MM-DD in the reader's calendar; undefined: the key never expires */
export function expiryTime(expiry: Expiry, day: string): string | undefined {
  if (expiry === 'date') return new Date(`${day}T23:59:59.999`).toISOString();
  const days = EXPIRIES.find(({ value }) => value === expiry)?.days;
  return days === undefined ? undefined : new Date(Date.now() + days * DAY_MS).toISOString();
}
