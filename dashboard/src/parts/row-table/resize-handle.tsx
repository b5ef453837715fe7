// The edge of a column: drag it, or focus it and press the arrow keys. A double click or Enter shows the values whole.
import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { BOUNDS_PX } from './column-width.ts';
import classes from './row-table.module.css';

interface Props {
  title: string;
  widthPx: number;
  wholePx: number;
  onResize: (widthPx: number) => void;
}

const STEP_PX = 20;
const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -STEP_PX, ArrowRight: STEP_PX };

export function ResizeHandle({ title, widthPx, wholePx, onResize }: Props) {
  /** Where the pointer would be if the column had no width; undefined: nothing is dragged. */
  const fromPx = useRef<number>(undefined);
  const begin = (event: PointerEvent<HTMLElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId);
    fromPx.current = event.clientX - widthPx;
  };
  const move = ({ clientX }: PointerEvent): void => {
    if (fromPx.current !== undefined) onResize(clientX - fromPx.current);
  };
  const end = (): void => {
    fromPx.current = undefined;
  };
  const press = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (step === undefined && event.key !== 'Enter') return;
    // Arrow keys also scroll the table.
    event.preventDefault();
    event.stopPropagation();
    onResize(step === undefined ? wholePx : widthPx + step);
  };
  return (
    // A separator that has a value and the focus is a control (ARIA 1.2).
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <hr
      aria-orientation="vertical"
      aria-label={`Width of ${title}`}
      aria-valuenow={Math.round(widthPx)}
      aria-valuemin={BOUNDS_PX.least}
      aria-valuemax={BOUNDS_PX.most}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className={classes['edge']}
      onPointerDown={begin}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={end}
      onDoubleClick={() => onResize(wholePx)}
      onKeyDown={press}
    />
  );
}
