// A button with its menu, which opens at once.
import { Menu, Text } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { cloneElement, useState } from 'react';
import { Link } from 'react-router';
import type { MenuEntry, MenuProps } from './menu-button.tsx';

export function OpenedMenu({ button, entries, widthPx }: MenuProps) {
  const [isOpen, setOpen] = useState(true);
  // A menu that is open from the beginning does not return the focus to its button.
  const isMounted = useMounted();
  return (
    <Menu
      opened={isOpen && isMounted}
      onChange={setOpen}
      position="bottom-end"
      withinPortal={false}
      withInitialFocusPlaceholder={false}
      {...(widthPx !== undefined && { width: widthPx })}
    >
      <Menu.Target>{cloneElement(button, { autoFocus: true })}</Menu.Target>
      <Menu.Dropdown>
        {entries.map((entry, at) => (
          // Two entries may have the same title.
          // oxlint-disable-next-line react/no-array-index-key
          <Entry key={at} entry={entry} />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Entry({ entry }: { entry: MenuEntry }) {
  if (entry === 'divider') return <Menu.Divider />;
  if ('heading' in entry)
    return <Menu.Label style={{ overflowWrap: 'anywhere' }}>{entry.heading}</Menu.Label>;
  if ('note' in entry)
    return (
      <Text size="xs" c="dimmed" maw={290} px="sm" py={4}>
        {entry.note}
      </Text>
    );
  const { title, icon, aside, ...rest } = entry;
  const sections = { leftSection: icon, rightSection: aside };
  return 'to' in rest ? (
    <Menu.Item component={Link} to={rest.to} {...sections}>
      {title}
    </Menu.Item>
  ) : (
    <Menu.Item {...sections} {...rest}>
      {title}
    </Menu.Item>
  );
}
