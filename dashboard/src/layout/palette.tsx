// The command palette: records, pages, and the actions of the page, found by typing.
import { shownName } from '../client/shown-name.ts';
import '@mantine/spotlight/styles.layer.css';
import { Spotlight, spotlight, type SpotlightActionData } from '@mantine/spotlight';
import { useEffect, useState } from 'react';
import { type NavigateFunction, useLocation, useNavigate } from 'react-router';
import { useRecordSearch, wordsOnNothing } from '../client/use-record-search.ts';
import { actionsOfPage } from './page-actions.ts';

const MOST_RECORDS = 8;

const PAGES: readonly (readonly [path: string, label: string, keywords?: string])[] = [
  ['/records', 'Records', 'list home'],
  ['/records/new', 'New record', 'add create watch url'],
  ['/webhooks', 'Webhooks', 'endpoints'],
  ['/developer', 'Developer', 'api keys usage mcp clients'],
  ['/account', 'Account settings', 'password email'],
  ['/audit-log', 'Audit log', 'history who'],
];

const TABS = [
  ['', 'Overview'],
  ['/changes', 'Changes'],
  ['/data', 'Data'],
  ['/checks', 'Checks'],
  ['/connect', 'Connect'],
  ['/webhooks', 'Webhooks'],
  ['/settings', 'Settings'],
] as const;

/** @param asked opens it whenever this changes */
export default function Palette({ asked }: { asked: number }) {
  useEffect(() => {
    if (asked > 0) spotlight.open();
  }, [asked]);
  const [query, setQuery] = useState('');
  const [isOpen, setOpen] = useState(false);
  const { found, ...search } = useRecordSearch(query, MOST_RECORDS, isOpen);
  const navigate = useNavigate();
  const path = useRecordOfPage();
  const ofPage = useActionsOfPage(isOpen);
  const groups = [
    { group: 'This page', actions: ofPage },
    { group: 'This record', actions: path === undefined ? [] : tabsOf(path, navigate) },
    {
      group: 'Records',
      actions: found.map(({ slug, name, url }) => recordAction({ slug, name, url }, navigate)),
    },
    {
      group: 'Go to',
      actions: PAGES.map(([to, label, keywords = '']) => pageAction(to, label, keywords, navigate)),
    },
  ];
  return (
    <Spotlight
      actions={groups.filter(({ actions }) => actions.length > 0)}
      query={query}
      onQueryChange={setQuery}
      onSpotlightOpen={() => setOpen(true)}
      onSpotlightClose={() => setOpen(false)}
      shortcut={null}
      // At once: the end of a closing transition would clear what is typed after the next Ctrl-K.
      transitionProps={{ duration: 0 }}
      nothingFound={wordsOnNothing(search, 'Nothing found')}
      attributes={{ content: { 'aria-label': 'Search and commands' } }}
      scrollable
      maxHeight="min(480px, 70vh)"
      searchProps={{ placeholder: 'Go to a record or a page, or run an action', 'aria-label': 'Command' }}
    />
  );
}

const pageAction = (
  to: string,
  label: string,
  keywords: string,
  navigate: NavigateFunction,
): SpotlightActionData => ({
  id: to,
  label,
  keywords,
  onClick: () => void navigate(to),
});

const tabsOf = (path: string, navigate: NavigateFunction): SpotlightActionData[] =>
  TABS.map(([tab, title]) => ({
    id: path + tab,
    label: title,
    keywords: 'tab of this record',
    onClick: () => void navigate(path + tab),
  }));

interface Found {
  slug: string;
  name: string;
  url: string;
}

const recordAction = ({ slug, name, url }: Found, navigate: NavigateFunction): SpotlightActionData => ({
  id: `record ${slug}`,
  label: shownName(name),
  // A query may hold a secret.
  description: url.split('?')[0] ?? '',
  keywords: [slug, url],
  onClick: () => void navigate(`/records/${encodeURIComponent(slug)}`),
});

/** The path of the record whose pages are shown. */
function useRecordOfPage(): string | undefined {
  const [, area, ref] = useLocation().pathname.split('/');
  return area === 'records' && ref !== undefined && ref !== 'new' ? `/records/${ref}` : undefined;
}

/** The page goes on behind the palette: a button may be enabled or replaced after the palette opened. */
function useActionsOfPage(isOpen: boolean): SpotlightActionData[] {
  const [actions, setActions] = useState<SpotlightActionData[]>([]);
  useEffect(() => {
    const main = document.querySelector('#main');
    if (!isOpen || main === null) return undefined;
    const read = (): void => setActions(actionsOfPage());
    read();
    const observer = new MutationObserver(read);
    observer.observe(main, {
      subtree: true,
      childList: true,
      characterData: true,
      attributeFilter: ['disabled'],
    });
    return () => observer.disconnect();
  }, [isOpen]);
  return actions;
}
