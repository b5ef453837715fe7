// A few choices side by side, of which one is selected.
import { SegmentedControl, type SegmentedControlProps } from '@mantine/core';
import classes from './segments.module.css';

interface Props extends Pick<SegmentedControlProps, 'data' | 'value' | 'onChange'> {
  label: string;
}

export const Segments = ({ label, ...props }: Props) => (
  <SegmentedControl
    aria-label={label}
    classNames={{ root: classes['root'] ?? '', input: classes['input'] ?? '' }}
    {...props}
  />
);
