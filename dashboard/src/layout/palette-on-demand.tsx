// Loads the command palette when it is first asked for: by Ctrl-K or Cmd-K, or in the menu of the user.
import { useHotkeys, useWindowEvent } from '@mantine/hooks';
import { lazy, Suspense, useState } from 'react';

const Palette = lazy(() => import('./palette.tsx'));

const ASKED = 'palette-asked';

export const askForPalette = (): void => {
  window.dispatchEvent(new Event(ASKED));
};

export function PaletteOnDemand() {
  /** How often it was asked for before it heard of that itself. */
  const [asked, setAsked] = useState(0);
  const ask = (): void => setAsked(asked + 1);
  // From any field: a palette that opens only outside of them is not found.
  useHotkeys([['mod+K', ask]], []);
  useWindowEvent(ASKED, ask);
  return asked === 0 ? null : (
    <Suspense fallback={null}>
      <Palette asked={asked} />
    </Suspense>
  );
}
