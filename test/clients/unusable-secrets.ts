// Secrets of webhooks that receivers refuse.
const encoded = (bytes: number): string => Buffer.alloc(bytes, 7).toString('base64');

/** As from an environment variable that is not set, those with which anybody could sign, and those that are not whole. */
export const UNUSABLE_SECRETS = [
  '',
  'whsec_',
  'whsec_!',
  'whsec_<secret>',
  'whsec_c2Vj…',
  'whsec_replace-me-with-the-secret-of-the-webhook',
  `whsec_${encoded(23)}`,
  `whsec_${encoded(65)}`,
  `whsec_ ${encoded(32)}`,
  `whsec_${encoded(32)}${encoded(32)}`,
  `whsec_${encoded(32).replace('Bw', 'B w')}`,
] as const;
