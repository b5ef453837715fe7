// Says of a changed row that it was paired from a deleted and a new one that are alike.
import { Badge } from '@mantine/core';

export const PairedMark = () => (
  <Badge
    size="xs"
    variant="outline"
    color="gray"
    tt="none"
    style={{ flex: 'none' }}
    title="A deleted and a new row that are alike"
  >
    similar
  </Badge>
);
