// Signing secrets, opened once a minute and not for every event: opening costs more than signing does.
import { type KeyEncryptionKeys, openField, unwrapDataKey } from '../../core/crypto/envelope.ts';
import { webhookSecretContext } from '../../core/seal-contexts.ts';
import type { DueDelivery } from '../../db/webhooks/deliveries.ts';

type SealedSecrets = Pick<
  DueDelivery,
  'accountId' | 'webhookId' | 'wrappedDataKey' | 'sealedSecret' | 'previousSealedSecret'
>;

/**
 * The present secret first, and the one before it as long as it signs too.
 * @throws Error when one cannot be opened
 */
export type OpenSecrets = (sealed: SealedSecrets) => readonly string[];

/** They are in memory no longer than that; nor are there more of them. */
const KEPT_MS = 60_000;
const MAX_KEPT = 2_000;

export function createSecretOpener(keks: KeyEncryptionKeys): OpenSecrets {
  const kept = new Map<string, string>();
  const openOne = ({ accountId, webhookId, wrappedDataKey }: SealedSecrets, sealed: Buffer): string => {
    // By the sealed value itself, so that another secret is another entry.
    const name = `${accountId} ${webhookId} ${sealed.toString('latin1')}`;
    const known = kept.get(name);
    if (known !== undefined) return known;
    const dataKey = unwrapDataKey(keks, accountId, wrappedDataKey);
    const opened = openField(dataKey, sealed, webhookSecretContext(accountId, webhookId));
    if (kept.size === 0) setTimeout(() => kept.clear(), KEPT_MS).unref();
    if (kept.size < MAX_KEPT) kept.set(name, opened);
    return opened;
  };
  return (secrets) => {
    const { sealedSecret, previousSealedSecret } = secrets;
    const sealed = previousSealedSecret === null ? [sealedSecret] : [sealedSecret, previousSealedSecret];
    return sealed.map((secret) => openOne(secrets, secret));
  };
}
