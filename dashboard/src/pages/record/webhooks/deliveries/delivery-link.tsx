// Opens a delivery beside the list; the address says which, so that reload and back keep to it.
import { Anchor } from '@mantine/core';
import { Link, useSearchParams } from 'react-router';

export function DeliveryLink({ id }: { id: string }) {
  const [parameters] = useSearchParams();
  const search = new URLSearchParams(parameters);
  search.set('delivery', id);
  return (
    <Anchor
      component={Link}
      to={{ search: search.toString() }}
      preventScrollReset
      ff="monospace"
      size="sm"
      title={id}
    >
      {`dlv_…${id.slice(-8)}`}
    </Anchor>
  );
}
