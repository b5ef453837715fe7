// Searches texts for secrets, as plain text and in every encoding that they may have passed through.

/** The forms that a text may take. Each is searched for literally. */
export function formsOf(secret: string | Buffer): string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const coded = [hex, hex.toUpperCase(), ...base64Forms(bytes)];
  if (typeof secret !== 'string') return [...new Set(coded)];
  const json = jsonEscaped(secret);
  const url = encodeURIComponent(secret);
  const texts = [secret, json, jsonEscaped(json), url, url.toLowerCase(), encodeURIComponent(url)];
  return [...new Set([...texts, new URLSearchParams({ a: secret }).toString().slice(2), ...coded])];
}

const jsonEscaped = (text: string): string => JSON.stringify(text).slice(1, -1);

/** For each offset at which the bytes may begin in base64: the characters that depend on them alone, in both alphabets. */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const own = text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    return [own, own.replaceAll('+', '-').replaceAll('/', '_'), encodeURIComponent(own)];
  });
}

const EXCERPT_CHARACTERS = 100;

/** Finds secrets in a text. @returns the text around the first match of each form */
export function findSecrets(text: string, secrets: readonly (string | Buffer)[]): string[] {
  return secrets.flatMap(formsOf).flatMap((form) => {
    const at = text.indexOf(form);
    if (at === -1) return [];
    return [text.slice(Math.max(0, at - EXCERPT_CHARACTERS), at + form.length + EXCERPT_CHARACTERS)];
  });
}
