// Links to the sections of a long page.
import { useEffect } from 'react';
import { Link, useLocation } from 'react-router';
import classes from './section-nav.module.css';

export interface PageSection {
  /** In the page's address, behind the #. */
  id: string;
  title: string;
}

export function SectionNav({ label, sections }: { label: string; sections: readonly PageSection[] }) {
  const chosen = useLocation().hash.slice(1);
  // A link from elsewhere opens the page before its sections are there.
  useEffect(() => goTo(location.hash.slice(1)), []);
  return (
    <nav aria-label={label} className={classes['nav']}>
      <ul className={classes['list']}>
        {sections.map(({ id, title }) => (
          <li key={id}>
            <Link
              to={{ hash: id }}
              replace
              preventScrollReset
              className={classes['link']}
              aria-current={id === chosen ? 'location' : undefined}
              onClick={() => goTo(id)}
            >
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The next Tab continues in the section. */
function goTo(id: string): void {
  const section = id === '' ? null : document.getElementById(id);
  section?.scrollIntoView({ block: 'start' });
  section?.focus({ preventScroll: true });
}
