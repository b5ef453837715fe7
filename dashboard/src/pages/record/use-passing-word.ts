// What came of a check is news until the next thing is done, or the page is left.
import { useIsMutating } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useLocation } from 'react-router';
import { CHECK_NOW, type useCheckNow } from './use-check-now.ts';

/** Forgets what came of it, though never a check that is still going on. */
export function usePassingWord(asked: ReturnType<typeof useCheckNow>): void {
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
