// Hides the result of a check when the user does something else or leaves the page.
import { useIsMutating } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useLocation } from 'react-router';
import { CHECK_NOW, type useCheckNow } from './use-check-now.ts';

/** Hides the result, but never a check that is still running. */
export function useResetCheckResult(asked: ReturnType<typeof useCheckNow>): void {
  const { pathname } = useLocation();
  const page = useRef(pathname);
  const others = useIsMutating({ predicate: ({ options }) => options.mutationKey?.[0] !== CHECK_NOW[0] });
  const forget = useEffectEvent(() => {
    if (!asked.isPending) asked.reset();
  });
  useEffect(() => {
    const isLeft = page.current !== pathname;
    page.current = pathname;
    if (isLeft) forget();
  }, [pathname]);
  useEffect(() => {
    if (others > 0) forget();
  }, [others]);
}
