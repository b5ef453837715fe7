// A button that opens a menu. The menu's code loads when somebody reaches for the button.
import {
  cloneElement,
  type HTMLAttributes,
  lazy,
  type ReactElement,
  type ReactNode,
  startTransition,
  Suspense,
  useState,
} from 'react';

interface Named {
  title: string;
  /** Before the title. */
  icon?: ReactNode;
  /** After the title. */
  aside?: ReactNode;
}

export type MenuEntry =
  | (Named & { onClick: () => void; color?: string })
  | (Named & { to: string })
  | { heading: string }
  | { note: string }
  | 'divider';

export interface MenuProps {
  button: ReactElement<HTMLAttributes<HTMLButtonElement>>;
  entries: readonly MenuEntry[];
  widthPx?: number;
}

const load = () => import('./opened-menu.tsx');
const OpenedMenu = lazy(async () => ({ default: (await load()).OpenedMenu }));

export function MenuButton(props: MenuProps) {
  const [isAsked, setAsked] = useState(false);
  const preload = (): void => void load().catch(() => undefined);
  return (
    <Suspense>
      {isAsked ? (
        <OpenedMenu {...props} />
      ) : (
        cloneElement(props.button, {
          'aria-haspopup': 'menu',
          'aria-expanded': false,
          onPointerEnter: preload,
          onFocus: preload,
          // The button stays until the menu has loaded.
          onClick: () => startTransition(() => setAsked(true)),
        })
      )}
    </Suspense>
  );
}
