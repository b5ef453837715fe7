// The tabs of a record.
import { useEffect, useRef } from 'react';
import { NavLink } from 'react-router';
import { useRecordPath } from '../../parts/record/record-ref.ts';
import classes from './record-tabs.module.css';

const TABS = [
  ['', 'Overview'],
  ['changes', 'Changes'],
  ['data', 'Data'],
  ['checks', 'Checks'],
  ['connect', 'Connect'],
  ['webhooks', 'Webhooks'],
  ['settings', 'Settings'],
] as const;

/** The title of the tab, by the first part of the path below the record's. */
export const tabTitle = (tab: string): string => TABS.find(([each]) => each === tab)?.[1] ?? 'Overview';

export function RecordTabs() {
  const path = useRecordPath();
  return (
    <nav aria-label="Pages of the record" className={classes['tabs']}>
      {TABS.map(([tab, title]) => (
        <NavLink
          key={tab}
          to={tab === '' ? path : `${path}/${tab}`}
          end={tab === ''}
          className={classes['tab'] ?? ''}
        >
          {({ isActive }) => <Title isCurrent={isActive}>{title}</Title>}
        </NavLink>
      ))}
    </nav>
  );
}

/** On a narrow screen the current tab may be scrolled out of sight. */
function Title({ isCurrent, children }: { isCurrent: boolean; children: string }) {
  const text = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const bar = text.current?.closest('nav');
    if (!isCurrent || !bar || !text.current) return;
    const [around, shown] = [bar.getBoundingClientRect(), text.current.getBoundingClientRect()];
    bar.scrollLeft += shown.left + shown.width / 2 - (around.left + around.width / 2);
  }, [isCurrent]);
  return <span ref={text}>{children}</span>;
}
