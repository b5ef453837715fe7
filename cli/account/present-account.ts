// An account as the operator's commands show it.
import type { AccountOverview } from '../../db/access/operator.ts';

export const presentAccount = ({ createdAt, ...account }: AccountOverview) => ({
  ...account,
  createdAt: createdAt.toISOString(),
});
