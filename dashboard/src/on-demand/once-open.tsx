// Loads what few people open when it is first opened.
import { type ComponentType, lazy, Suspense, useState } from 'react';

/**
 * The component stays from then on, so that it can close as it opened.
 * It opens after it has mounted (`useMounted`): what is open from the beginning does not return the focus.
 */
export function onceOpen<Props extends { isOpen: boolean }>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const Loaded: ComponentType<Props> = lazy(async () => ({ default: await load() }));
  return function OnceOpen(props: Props) {
    const [isNeeded, setNeeded] = useState(props.isOpen);
    if (props.isOpen && !isNeeded) setNeeded(true);
    return <Suspense>{isNeeded && <Loaded {...props} />}</Suspense>;
  };
}
