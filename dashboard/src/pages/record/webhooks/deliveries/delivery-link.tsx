// Opens a delivery beside the list. The address says which, so reload and back keep it.
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
