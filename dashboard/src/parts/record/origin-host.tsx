// The host of a record's data. It is a link only for http and https.
import { Anchor, Text, VisuallyHidden } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** Without its query, which may hold a key. */
export function hostAndPathOf(url: string): string {
  const { host, pathname } = URL.parse(url) ?? { host: url, pathname: '' };
  return `${host}${pathname}`;
}

/** A record's URL is its owner's text, and others may look at it. */
export const isWebUrl = (url: string): boolean => /^https?:\/\//i.test(url) && URL.canParse(url);

export function OriginHost({ url }: { url: string }) {
  if (!isWebUrl(url)) return <Text span>{hostOf(url)}</Text>;
  return (
    <Anchor
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      title={url}
      inherit
      style={{ overflowWrap: 'anywhere' }}
    >
      {hostOf(url)} <IconExternalLink size={13} aria-hidden style={{ verticalAlign: '-2px' }} />
      <VisuallyHidden> (opens in a new tab)</VisuallyHidden>
    </Anchor>
  );
}
