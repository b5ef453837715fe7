// A webhook's events, filters, creation and secrets.
import { shownName } from '../../../client/shown-name.ts';
import { Text } from '@mantine/core';
import { formatCount } from '../../../parts/figures/change-count.tsx';
import { Fact, Facts } from '../../../parts/blocks/facts.tsx';
import { counted } from '../../../parts/figures/counted.ts';
import { conditionWords } from './endpoint/condition/condition-words.ts';
import { Ago, At } from '../../../parts/figures/time.tsx';
import { sourcesWords } from './sources-words.ts';
import { FORMATS, isMessage, type Webhook } from './webhook-model.ts';
import { LastDelivery, SuccessRate } from './webhook-activity.tsx';

export const WebhookFacts = ({ webhook }: { webhook: Webhook }) => (
  <Facts>
    {webhook.description !== null && (
      <Fact name="Description">
        <Text inherit style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {shownName(webhook.description)}
        </Text>
      </Fact>
    )}
    {webhook.sources !== undefined && <Fact name="Records">{sourcesWords(webhook.sources)}</Fact>}
    <Fact name="Events">{webhook.eventTypes.join(', ')}</Fact>
    <Fact name="Only deltas with">{filterWords(webhook)}</Fact>
    {webhook.condition !== null && <Fact name="Condition">{conditionWords(webhook.condition)}</Fact>}
    {webhook.include === 'rows' && !isMessage(webhook.format) && (
      <Fact name="Body">{bodyWords(webhook)}</Fact>
    )}
    {webhook.format !== 'json' && <Fact name="Format">{formatWords(webhook)}</Fact>}
    {webhook.ordered && <Fact name="Order">{orderWords(webhook)}</Fact>}
    {webhook.eventTypes.includes('record.quiet') && (
      <Fact name="Quiet after">{counted(webhook.quietHours, 'hour')}</Fact>
    )}
    {webhook.eventTypes.includes('check.failed') && webhook.failingAfter > 1 && (
      <Fact name="Failing after">{counted(webhook.failingAfter, 'failed check')}</Fact>
    )}
    {webhook.digest !== null && <Fact name="Digest">{digestWords(webhook.digest)}</Fact>}
    <Fact name="Last delivery">
      <LastDelivery activity={webhook.activity} />
    </Fact>
    <Fact name="Delivered">
      <SuccessRate activity={webhook.activity} />
    </Fact>
    <Fact name="Created">
      <At at={webhook.createdAt} />
    </Fact>
    <Fact name="Signing secret">
      {isRotating(webhook) && webhook.previousSecretUntil !== null ? (
        <>
          Deliveries are signed with both secrets. The previous one ends{' '}
          <Ago at={webhook.previousSecretUntil} />
        </>
      ) : (
        'One active secret'
      )}
    </Fact>
  </Facts>
);

const formatWords = ({ format }: Webhook): string =>
  format === 'cloudevents'
    ? 'CloudEvents 1.0'
    : (FORMATS.find(({ value }) => value === format)?.label ?? format);

const digestWords = ({ every, at, timeZone }: NonNullable<Webhook['digest']>): string =>
  every === 'hour' ? 'Every hour' : `Daily at ${at}, ${timeZone}`;

const isRotating = ({ previousSecretUntil }: Webhook): boolean =>
  previousSecretUntil !== null && Date.parse(previousSecretUntil) > Date.now();

const bodyWords = ({ fields, maxBodyBytes }: Webhook): string =>
  `The rows with ${fields === null ? 'all columns' : fields.join(', ')}, in at most ${formatCount(maxBodyBytes)} bytes`;

const orderWords = ({ onFailure }: Webhook): string =>
  onFailure === 'block'
    ? 'One event after another; later ones wait for one that failed'
    : 'One event after another; one that failed is skipped';

function filterWords({ filters }: Webhook): string {
  if (filters === null) return 'Any change';
  const { changeTypes, columns, minChanges = 1 } = filters;
  const rows = minChanges === 1 ? 'rows' : `at least ${formatCount(minChanges)} rows`;
  const kinds = changeTypes === undefined ? '' : ` that are ${changeTypes.join(' or ')}`;
  const where = columns === undefined ? '' : `, changed ones in ${columns.join(', ')}`;
  return `${rows}${kinds}${where}`;
}
