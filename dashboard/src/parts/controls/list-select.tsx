// A select whose list loads when somebody reaches for it. Until then it looks and reads as Mantine's.
import { ComboboxChevron, InputBase, type SelectProps } from '@mantine/core';
import { type KeyboardEvent, lazy, startTransition, Suspense, useState } from 'react';

export interface ListSelectProps extends SelectProps {
  /** Groups only where a value comes with `clearable`. */
  data: NonNullable<SelectProps['data']>;
  value: string | null;
}

/** What a select does when it has loaded. */
export type Beginning = 'is open' | 'has the focus' | 'is still';

const load = () => import('./loaded-select.tsx');
const LoadedSelect = lazy(async () => ({ default: (await load()).LoadedSelect }));

export function ListSelect(props: ListSelectProps) {
  const [asked, setAsked] = useState<Beginning>();
  // The field stays until the list has loaded.
  const ask = (beginning: Beginning): void => startTransition(() => setAsked(beginning));
  // Only Mantine's own has a button that clears it.
  const isCleared = props.clearable === true && props.value !== null;
  const still = <StillSelect {...props} onAsk={ask} />;
  return (
    <Suspense fallback={still}>
      {asked !== undefined || isCleared ? <LoadedSelect beginning={asked ?? 'is still'} {...props} /> : still}
    </Suspense>
  );
}

function StillSelect(props: ListSelectProps & { onAsk: (beginning: Beginning) => void }) {
  const { label, placeholder, w, data, value, rightSection, onAsk } = props;
  const preload = (): void => void load().catch(() => undefined);
  return (
    <InputBase
      label={label}
      aria-label={props['aria-label']}
      placeholder={placeholder}
      w={w}
      // As Mantine's own, which has no list to name while it is closed.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role, jsx-a11y/role-has-required-aria-props
      role="combobox"
      aria-haspopup="listbox"
      aria-expanded={false}
      readOnly
      pointer
      value={labelOf(data, value)}
      rightSection={rightSection ?? <ComboboxChevron />}
      rightSectionPointerEvents="none"
      onPointerEnter={preload}
      onFocus={preload}
      onClick={() => onAsk('is open')}
      onKeyUp={({ key }: KeyboardEvent) =>
        onAsk(key === 'Tab' || key === 'Shift' ? 'has the focus' : 'is open')
      }
    />
  );
}

function labelOf(data: ListSelectProps['data'], value: string | null): string {
  for (const item of data) {
    if (typeof item === 'object' && 'value' in item && item.value === value) return item.label;
  }
  return '';
}
