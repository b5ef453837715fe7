// When two cells are the same under a rule, said slowly: numbers as fractions of whole numbers, dates by the calendar of Date.
import type { Cell } from '../../../../core/delta/model.ts';
import type { ColumnRule, ColumnRules } from '../../../../core/delta/rules/column-rules.ts';

export type Row = ReadonlyMap<string, string>;

function isSame(rule: ColumnRule | undefined, left: Cell, right: Cell): boolean {
  if (rule === undefined || left === undefined || right === undefined) return left === right;
  const [one, other] = [valueOf(rule, left), valueOf(rule, right)];
  if (one === undefined || other === undefined) return left === right;
  if (typeof one === 'string' || typeof other === 'string') return one === other;
  if ('sum' in one && 'sum' in other)
    return isNear(one, other, rule.as === 'number' ? (rule.tolerance ?? '0') : '0');
  return 'seconds' in one && 'seconds' in other && isSameTime(one, other);
}

/** What is left of a row after a change: cells that are the same stay as they were. */
export const carried = (rules: ColumnRules, before: Row, after: Row): [string, string][] =>
  [...after].map(([column, cell]) => {
    const was = before.get(column);
    return [column, was !== undefined && isSame(rules[column], was, cell) ? was : cell];
  });

export const isSameRow = (rules: ColumnRules, before: Row, after: Row): boolean =>
  [...new Set([...before.keys(), ...after.keys()])].every((column) =>
    isSame(rules[column], before.get(column), after.get(column)),
  );

/** |other − one| ≤ tolerance, or ≤ |one| × tolerance ÷ 100. */
function isNear(one: Fraction, other: Fraction, tolerance: string): boolean {
  const limit = fractionOf(tolerance.replace('%', '')) ?? { sum: 0n, unit: 1n };
  const distance = { sum: size(other.sum * one.unit - one.sum * other.unit), unit: one.unit * other.unit };
  if (!tolerance.endsWith('%')) return distance.sum * limit.unit <= limit.sum * distance.unit;
  return distance.sum * 100n * limit.unit * one.unit <= limit.sum * size(one.sum) * distance.unit;
}

const size = (value: bigint): bigint => (value < 0n ? -value : value);

interface Fraction {
  sum: bigint;
  unit: bigint;
}
interface Time {
  kind: 'day' | 'local' | 'instant';
  seconds: number;
  fraction: string;
}

const isSameTime = (one: Time, other: Time): boolean =>
  one.kind === other.kind &&
  one.seconds === other.seconds &&
  one.fraction.padEnd(200, '0') === other.fraction.padEnd(200, '0');

/** A fraction, a time, or a text; undefined for what no rule is about. */
function valueOf(rule: ColumnRule, cell: string): Fraction | Time | string | undefined {
  const parsed: unknown = /^-?\d/.test(cell) ? undefined : JSON.parse(cell);
  if (parsed === undefined) return rule.as === 'number' ? fractionOf(cell) : undefined;
  if (typeof parsed !== 'string') return undefined;
  let text = parsed;
  if (rule.normalize !== undefined) text = text.normalize(rule.normalize);
  if (rule.trim === true) {
    while (/^[\s\ufeff]/.test(text)) text = text.slice(1);
    while (/[\s\ufeff]$/.test(text)) text = text.slice(0, -1);
  }
  if (rule.ignoreCase === true) {
    text = Array.from(text, (each) => (each === 'ı' ? each : each.toLowerCase().toUpperCase())).join('');
    if (rule.normalize !== undefined) text = text.normalize(rule.normalize);
  }
  if (rule.as === 'number') return fractionOf(text) ?? text;
  return rule.as === 'date' ? (timeOf(text) ?? text) : text;
}

function fractionOf(text: string): Fraction | undefined {
  if (text.length > 200 || /[^-+.0-9eE]/.test(text)) return undefined;
  const [mantissa = '', power = '0', ...more] = text.split(/[eE]/);
  const [whole = '', part, ...parts] = mantissa.replace('-', '').split('.');
  const isWritten =
    /^\d+$/.test(whole) && (part === undefined || /^\d+$/.test(part)) && /^[-+]?\d{1,3}$/.test(power);
  if (!isWritten || more.length + parts.length > 0 || mantissa.lastIndexOf('-') > 0) return undefined;
  const sum = BigInt(whole + (part ?? '')) * (mantissa.startsWith('-') ? -1n : 1n);
  const unit = 10n ** BigInt(part?.length ?? 0);
  const shift = 10n ** BigInt(Math.abs(Number(power)));
  return Number(power) < 0 ? { sum, unit: unit * shift } : { sum: sum * shift, unit };
}

function timeOf(text: string): Time | undefined {
  if (text.length > 100) return undefined;
  const day = text.slice(0, 10);
  if (!isInCalendar(day)) return undefined;
  if (text === day) return { kind: 'day', seconds: Date.parse(`${day}T00:00:00Z`) / 1_000, fraction: '' };
  const parts = /^[Tt ](\d\d):(\d\d)(:\d\d)?([.,]\d+)?(Z|z|[-+]\d\d:?\d\d|[-+]\d\d)?$/.exec(text.slice(10));
  if (parts === null) return undefined;
  const [, hour = '', minute = '', second = ':00', fraction = '', offset] = parts;
  if (parts[3] === undefined && fraction !== '') return undefined;
  if (hour > '23' || minute > '59' || second > ':59') return undefined;
  const seconds = Date.parse(`${day}T${hour}:${minute}${second}Z`) / 1_000;
  if (offset === undefined) return { kind: 'local', seconds, fraction: fraction.slice(1) };
  const [east, isValid] = eastOf(offset);
  return isValid ? { kind: 'instant', seconds: seconds - east, fraction: fraction.slice(1) } : undefined;
}

function isInCalendar(day: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return false;
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

function eastOf(offset: string): [seconds: number, isValid: boolean] {
  if (offset.toUpperCase() === 'Z') return [0, true];
  const digits = offset.slice(1).replace(':', '').padEnd(4, '0');
  const [hours, minutes] = [Number(digits.slice(0, 2)), Number(digits.slice(2))];
  const seconds = hours * 3_600 + minutes * 60;
  return [offset.startsWith('-') ? -seconds : seconds, hours < 24 && minutes < 60];
}
