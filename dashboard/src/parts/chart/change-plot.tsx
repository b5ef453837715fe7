// New, changed and deleted rows over time, as a chart to drag over. A table beside it has the same numbers.
import 'uplot/dist/uPlot.min.css';
import { useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useEffectEvent, useRef } from 'react';
import type uPlot from 'uplot';
import {
  type ChangeBucket,
  PLOT_HEIGHT_PX,
  snapped,
  stacked,
  type Step,
  type Stretch,
} from './change-series.ts';
import classes from './change-plot.module.css';
import { createPlot, type PlotColors, showStretch } from './create-plot.ts';

interface Props {
  buckets: readonly ChangeBucket[];
  step: Step;
  stretch: Stretch | null;
  label: string;
  onHover: (index: number | null) => void;
  onSelect: (stretch: Stretch) => void;
}

/** Created again for other colours and another step. */
export function ChangePlot(props: Props) {
  const scheme = useComputedColorScheme('light');
  return <Plot key={`${scheme} ${props.step}`} {...props} />;
}

function Plot({ buckets, step, stretch, label, onHover, onSelect }: Props) {
  const { ref, width: widthPx } = useElementSize();
  const target = useRef<HTMLElement>(null);
  const plot = useRef<uPlot>(undefined);
  const hover = useEffectEvent(onHover);
  const select = useEffectEvent((dragged: Stretch) => onSelect(snapped(dragged, step)));
  const showChosen = useEffectEvent(() => plot.current && showStretch(plot.current, stretch));
  const create = useEffectEvent((host: HTMLElement) =>
    createPlot({
      target: host,
      data: stacked(buckets),
      step,
      widthPx,
      heightPx: PLOT_HEIGHT_PX,
      colors: colorsOf(host),
      onHover: (index) => hover(index),
      onSelect: (dragged) => select(dragged),
    }),
  );
  const isMeasured = widthPx > 0;
  useEffect(() => {
    if (target.current === null || !isMeasured) return undefined;
    const made = create(target.current);
    plot.current = made;
    return () => made.destroy();
  }, [isMeasured]);
  useEffect(() => {
    plot.current?.setSize({ width: widthPx, height: PLOT_HEIGHT_PX });
    showChosen();
  }, [widthPx]);
  useEffect(() => {
    plot.current?.setData(stacked(buckets));
    showChosen();
  }, [buckets]);
  useEffect(() => {
    if (plot.current !== undefined) showStretch(plot.current, stretch);
  }, [stretch]);
  return (
    <div ref={ref} className={classes['frame']}>
      <figure ref={target} aria-label={label} className={classes['plot']} />
    </div>
  );
}

/** The theme's colours as values, because a canvas knows no variables. */
function colorsOf(element: HTMLElement): PlotColors {
  const styles = getComputedStyle(element);
  const read = (name: string): string => styles.getPropertyValue(`--plot-${name}`).trim();
  return {
    new: read('new'),
    changed: read('changed'),
    deleted: read('deleted'),
    axis: read('axis'),
    grid: read('grid'),
  };
}
