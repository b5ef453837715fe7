// Answers in a form that does not depend on when and where they were given, and without what later versions have added.
import type { Answer } from './first-contract.ts';

export interface ComparableAnswer {
  step: string;
  status: number;
  /** JSON with its members in the order of the answer; else the text. */
  body: unknown;
}

/**
 * @param additions names of members that are left out, by the kind of object that has them
 * @returns with the additions that occurred, such as `record.labels`
 */
export function comparable(
  answers: readonly Answer[],
  additions: Readonly<Record<string, readonly string[]>> = {},
): { answers: ComparableAnswer[]; found: Set<string> } {
  const found = new Set<string>();
  const without = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(without);
    if (typeof value !== 'object' || value === null) return value;
    const kind = kindOf(value);
    const isAddition = (name: string): boolean => additions[kind]?.includes(name) === true;
    const [added, kept] = [true, false].map((wanted) =>
      Object.entries(value).filter(([name]) => isAddition(name) === wanted),
    );
    for (const [name] of added ?? []) found.add(`${kind}.${name}`);
    return Object.fromEntries((kept ?? []).map(([name, member]) => [name, without(member)]));
  };
  const names = new Map<string, string>();
  const compared = answers.map(({ step, status, text, isJson }) => {
    const stableText = (given: string): string => stable(given, names);
    if (!isJson) return { step: stableText(step), status, body: stableText(text) };
    const kept = JSON.stringify(without(readJson(step, text)));
    return { step: stableText(step), status, body: JSON.parse(stableText(kept)) as unknown };
  });
  return { answers: compared, found };
}

/** What an object is, by the id that it begins with; else by its own members. */
function kindOf(value: object): string {
  const [[name, id] = [], [second] = []] = Object.entries(value);
  const [prefix = ''] = name === 'id' ? String(id).split('_') : [];
  return prefix === '' || prefix === id ? `${name} ${second ?? ''}`.trim() : prefix;
}

/** JSON within the text of a tool's answer is read too. @throws Error when a text says more than its values */
function readJson(step: string, text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (JSON.stringify(value) !== text) throw new Error(`${step} is not compact: ${text}`);
  return JSON.parse(text, (name, member: unknown) =>
    name === 'text' && typeof member === 'string' && member.startsWith('{') ? readJson(step, member) : member,
  );
}

/** Times, ids, secrets and addresses differ each time. An id keeps one name from its first use on. */
function stable(text: string, names: Map<string, string>): string {
  const nameOf = (id: string, kind: string): string => {
    const known = [...names.values()].filter((name) => name.startsWith(`<${kind} `)).length;
    const name = names.get(id) ?? `<${kind} ${known + 1}>`;
    names.set(id, name);
    return name;
  };
  return text
    .replaceAll(/\b(cat_live|cat_src)_\w+/g, '<a $1 key>')
    .replaceAll(/\bwhsec_[\w+/=]+/g, '<a secret>')
    .replaceAll(/\b([a-z]+)_[0-9a-f]{32}\b/g, nameOf)
    .replaceAll(/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/g, '"<a time>"')
    .replaceAll(/"durationMs":\d+/g, '"durationMs":"<a duration>"')
    .replaceAll(/"last4":"\w+"/g, '"last4":"<an end>"')
    .replaceAll(/"requestId":"[^"]+"/g, '"requestId":"<an id>"')
    .replaceAll(/"nextCursor":"[^"]+"/g, '"nextCursor":"<a cursor>"')
    .replaceAll(/\btoken=[\w-]+/g, 'token=<a token>')
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://<an address>');
}
