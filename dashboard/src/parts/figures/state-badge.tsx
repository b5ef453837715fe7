// A state as a badge: a sign and a word as well as a colour.
import { Badge, type BadgeProps } from '@mantine/core';
import type { Icon as IconType } from '@tabler/icons-react';

type Look = readonly [color: string, word: string, Icon: IconType];

interface Props extends BadgeProps {
  look: Look;
}

export const StateBadge = ({ look: [color, word, Icon], ...props }: Props) => (
  <Badge variant="light" tt="none" color={color} leftSection={<Icon size={12} aria-hidden />} {...props}>
    {word}
  </Badge>
);
