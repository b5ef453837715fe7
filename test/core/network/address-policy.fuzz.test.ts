// More than a million random addresses, in every form in which they are written, against bit masks.
import { expect, it } from 'vitest';
import { isAllowedAddress } from '../../../core/network/address-policy.ts';
import { checkUrl } from '../../../core/network/origin-url.ts';
import { isPublicIpv4, isPublicIpv6, V4_MASKS } from './address-oracle.ts';

type Random = () => number;

it('agrees on 700,000 IPv4 addresses', () => {
  const random = xorshift(0x9e3779b9);
  const disagreements: string[] = [];
  for (let i = 0; i < 700_000; i += 1) {
    const bits = nearAnEdge(random);
    const ip = dotted(bits);
    if (isAllowedAddress(ip, 80, []) !== isPublicIpv4(bits)) disagreements.push(ip);
  }
  expect(disagreements).toEqual([]);
});

it('agrees on 350,000 IPv6 addresses, whole and shortened, with a dotted tail, in either case', () => {
  const random = xorshift(0x2545f491);
  const disagreements: string[] = [];
  for (let i = 0; i < 350_000; i += 1) {
    const groups = randomGroups(random);
    const ip = ipv6Text(groups, random);
    if (isAllowedAddress(ip, 80, []) !== isPublicIpv6(groups)) disagreements.push(ip);
  }
  expect(disagreements).toEqual([]);
});

it('agrees on a hundred thousand URLs: decimal, octal, hexadecimal, short, full-width, with a dot at the end', () => {
  const random = xorshift(0x1d872b41);
  const disagreements: string[] = [];
  for (let i = 0; i < 100_000; i += 1) {
    const isSix = random() % 4 === 0;
    const groups = randomGroups(random);
    const bits = nearAnEdge(random);
    const url = `http://${isSix ? `[${ipv6Text(groups, random)}]` : urlHost(bits, random)}/`;
    if ('url' in checkUrl(url, []) !== (isSix ? isPublicIpv6(groups) : isPublicIpv4(bits)))
      disagreements.push(url);
  }
  expect(disagreements).toEqual([]);
});

/** Small, seeded, and good enough to scatter addresses. */
function xorshift(seed: number): Random {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

/** Half of the numbers lie within four of the edge of a refused network, where mistakes are likely. */
function nearAnEdge(random: Random): number {
  const bits = random();
  const [network, mask] = V4_MASKS[random() % V4_MASKS.length] ?? [0, 0];
  if (bits % 2 === 0) return bits;
  const edge = random() % 2 === 0 ? network : network + (~mask >>> 0);
  return (edge + (random() % 9) - 4) >>> 0;
}

const PREFIXES: readonly (readonly number[])[] = [
  [], [0x2000], [0x3fff], [0x3fff, 0xfff], [0x3fff, 0x1000], [0x1fff], [0x4000], [0x2001], [0x2001, 0x1ff],
  [0x2001, 0x200], [0x2001, 0xdb8], [0x2001, 0xdb7], [0x2002], [0x2003], [0x2620, 0x4f, 0x8000], [0x2620, 0x4f, 0x8001],
  [0, 0, 0, 0, 0, 0xffff], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0xffff, 0], [0x64, 0xff9b], [0x64, 0xff9b, 0, 0, 0, 0],
  [0x64, 0xff9b, 1], [0xfd00], [0xfe80], [0xff02], [0x2a00, 0x1450, 0, 0, 0, 0x5efe],
  [0x2a00, 0x1450, 0, 0, 0x200, 0x5efe], [0x2a00, 0x1450, 0, 0, 0x400, 0x5efe],
]; // prettier-ignore

/** Some groups are zero and can be shortened; some tails are IPv4 addresses near an edge. */
function randomGroups(random: Random): number[] {
  const prefix = PREFIXES[random() % PREFIXES.length] ?? [];
  const zeros = random();
  const groups = Array.from(
    { length: 8 },
    (_, at) => prefix[at] ?? ((zeros >>> at) % 2 === 0 ? 0 : random() & 0xffff),
  );
  if (random() % 2 === 0) groups.splice(6, 2, ...halves(nearAnEdge(random)));
  return groups;
}

const halves = (bits: number): [number, number] => [bits >>> 16, bits & 0xffff];

function ipv6Text(groups: readonly number[], random: Random): string {
  const form = random();
  const texts = groups.map((group) => group.toString(16).padStart(form % 3 === 0 ? 4 : 1, '0'));
  if (form % 5 === 0) texts.splice(6, 2, dotted((((groups[6] ?? 0) << 16) | (groups[7] ?? 0)) >>> 0));
  const text = form % 2 === 0 ? shortened(texts) : texts.join(':');
  return form % 7 === 0 ? text.toUpperCase() : text;
}

/** The first run of zeros becomes `::`, wherever it is and however short. */
function shortened(texts: readonly string[]): string {
  const isZero = (text: string | undefined): boolean => /^0+$/.test(text ?? '');
  const from = texts.findIndex(isZero);
  if (from < 0) return texts.join(':');
  let to = from;
  while (isZero(texts[to])) to += 1;
  return `${texts.slice(0, from).join(':')}::${texts.slice(to).join(':')}`;
}

function dotted(bits: number): string {
  return `${bits >>> 24}.${(bits >>> 16) & 255}.${(bits >>> 8) & 255}.${bits & 255}`;
}

const BASES = [
  (value: number) => value.toString(),
  (value: number) => `0x${value.toString(16)}`,
  (value: number) => `0X${value.toString(16).toUpperCase().padStart(8, '0')}`,
  (value: number) => `0${value.toString(8)}`,
  (value: number) => `000${value.toString(8)}`,
];

/** One to four parts, each in its own base. The last part holds the remaining bits. */
function urlHost(bits: number, random: Random): string {
  const parts = 1 + (random() % 4);
  const values = Array.from({ length: parts }, (_, at) =>
    at < parts - 1 ? (bits >>> (24 - 8 * at)) & 255 : bits % 2 ** (8 * (5 - parts)),
  );
  const text = values.map((value) => (BASES[random() % BASES.length] ?? String)(value)).join('.');
  const form = random();
  return (form % 3 === 0 ? fullWidth(text) : text) + (form % 5 === 0 ? '.' : '');
}

/** As browsers and URL parsers fold it: digits, letters and the three foreign dots. */
function fullWidth(text: string): string {
  return text.replaceAll(/[!-~]/g, (char) =>
    char === '.' ? '。' : String.fromCodePoint((char.codePointAt(0) ?? 0) + 0xfee0),
  );
}
