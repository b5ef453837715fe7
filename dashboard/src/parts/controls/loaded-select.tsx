// Mantine's select, in place of one that looked like it.
import { Select } from '@mantine/core';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { Beginning, ListSelectProps } from './list-select.tsx';

export function LoadedSelect({ beginning, ...props }: ListSelectProps & { beginning: Beginning }) {
  const input = useRef<HTMLInputElement>(null);
  const begin = useEffectEvent(() => {
    if (beginning !== 'is still') input.current?.focus();
    if (beginning === 'is open') input.current?.click();
  });
  useEffect(() => begin(), []);
  return <Select ref={input} {...props} />;
}
