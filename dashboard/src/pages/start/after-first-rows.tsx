// What is asked for only when the first rows stand: they are what somebody new waits for.
import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFirstRows } from './use-first-rows.ts';

interface Props {
  recordId: string;
  snapshotId: string;
  /** Of the skeleton until then. */
  heightPx: number;
  children: ReactNode;
}

export function AfterFirstRows({ recordId, snapshotId, heightPx, children }: Props) {
  const { isPending } = useFirstRows(recordId, snapshotId);
  return isPending ? <Skeleton h={heightPx} /> : children;
}
