// How many rows are new, changed or deleted: a sign and a word as well as a colour.
import { Badge, type BadgeProps } from '@mantine/core';
import { CHANGE_SIGNS } from './change-sign.ts';
import { CHANGE_COLORS, type ChangeType } from '../../theme.ts';

const numbers = new Intl.NumberFormat();

export const formatCount = (count: number): string => numbers.format(count);

interface Props extends BadgeProps {
  type: ChangeType;
  count: number;
}

export const ChangeCount = ({ type, count, ...props }: Props) => (
  <Badge
    variant={count === 0 ? 'default' : 'light'}
    color={CHANGE_COLORS[type]}
    tt="none"
    {...props}
    aria-label={`${count} ${type}`}
  >
    {CHANGE_SIGNS[type]}
    {formatCount(count)} {type}
  </Badge>
);
