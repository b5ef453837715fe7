// The actions of the page for the command palette: its visible buttons, by their names.
import type { SpotlightActionData } from '@mantine/spotlight';

/** Buttons of tables and lists are about one line, and those of forms need what is in the form. */
const PARTS = 'table, ul, ol, form, [role=tablist], [role=listbox], [aria-haspopup]';

/** In the order of the page. Each is pressed as a click presses it. */
export function actionsOfPage(): SpotlightActionData[] {
  const buttons = [...document.querySelectorAll<HTMLButtonElement>('#main button:not(:disabled)')];
  const found = buttons.flatMap((button) => {
    const name = (button.ariaLabel ?? button.textContent).trim();
    const isOfPage = name !== '' && button.closest(PARTS) === null && button.checkVisibility();
    return isOfPage ? [[name, button] as const] : [];
  });
  // Of buttons with one name, the first.
  return [...new Map(found.toReversed())].toReversed().map(([label, button]) => ({
    id: `action ${label}`,
    label,
    onClick: () => button.click(),
  }));
}
