// Loads its content only after the first rows are there, because new visitors wait for these.
import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFirstRows } from './use-first-rows.ts';

interface Props {
  recordId: string;
  snapshotId: string;
  /** The height of the skeleton until then. */
  heightPx: number;
  children: ReactNode;
}

export function AfterFirstRows({ recordId, snapshotId, heightPx, children }: Props) {
  const { isPending } = useFirstRows(recordId, snapshotId);
  return isPending ? <Skeleton h={heightPx} /> : children;
}
