// The chart of changes, drawn by uPlot: stacked bars, and a period to drag over.
import './usable-language.ts';
import uPlot from 'uplot';
import type { Step, Stretch } from './change-series.ts';

export interface PlotColors {
  new: string;
  changed: string;
  deleted: string;
  axis: string;
  grid: string;
}

interface Given {
  target: HTMLElement;
  data: uPlot.AlignedData;
  step: Step;
  widthPx: number;
  heightPx: number;
  colors: PlotColors;
  /** The bucket under the pointer; null: none. */
  onHover: (index: number | null) => void;
  onSelect: (stretch: Stretch) => void;
}

const MAX_BAR_PX = 36;
const compact = new Intl.NumberFormat(undefined, { notation: 'compact' });
const whole = (power: number): number[] => [1, 2, 5].map((digit) => digit * 10 ** power);

export function createPlot(given: Given): uPlot {
  const { target, data, step, widthPx, heightPx, colors, onHover, onSelect } = given;
  const paths = uPlot.paths.bars?.({ size: [0.8, MAX_BAR_PX], align: 1, radius: 0.15 });
  const bars = (color: string): uPlot.Series => ({
    ...(paths && { paths }),
    fill: color,
    stroke: color,
    width: 0,
    points: { show: false },
  });
  const axis = { stroke: colors.axis, ticks: { show: false }, font: '12px system-ui, sans-serif' };
  return new uPlot(
    {
      width: widthPx,
      height: heightPx,
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: true, y: false, setScale: false, dist: 4 } },
      ...(step === 'day' && { tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC') }),
      scales: {
        x: { range: (plot) => wholeTime(plot) },
        y: { range: (_plot, _min, max) => [0, Math.max(4, max * 1.08)] },
      },
      series: [{}, bars(colors.deleted), bars(colors.changed), bars(colors.new)],
      axes: [
        { ...axis, grid: { show: false }, space: 70 },
        {
          ...axis,
          grid: { stroke: colors.grid, width: 1 },
          size: 48,
          incrs: [0, 1, 2, 3, 4, 5, 6, 7, 8].flatMap(whole),
          values: (_plot, ticks) => ticks.map((tick) => compact.format(tick)),
        },
      ],
      hooks: {
        setCursor: [(plot) => onHover(bucketAt(plot, plot.cursor.left))],
        setSelect: [
          (plot) => {
            const { left, width } = plot.select;
            if (width > 0) onSelect({ sinceMs: timeAt(plot, left), untilMs: timeAt(plot, left + width) });
          },
        ],
      },
    },
    data,
    target,
  );
}

const timeAt = (plot: uPlot, leftPx: number): number => plot.posToVal(leftPx, 'x') * 1_000;

/** From the first bucket's start to the last one's end. */
function wholeTime({ data: [starts] }: uPlot): [number, number] {
  const [first = 0, second = first + 1] = starts;
  return [first, (starts.at(-1) ?? first) + (second - first)];
}

/** Bars are to the right of their start. */
function bucketAt(plot: uPlot, leftPx: number | undefined): number | null {
  const [starts] = plot.data;
  if (leftPx === undefined || leftPx < 0) return null;
  const at = plot.posToVal(leftPx, 'x');
  const index = Array.from(starts).findLastIndex((start) => start <= at);
  return index < 0 ? null : index;
}

/** Shows a period without reporting it; null: none. */
export function showStretch(plot: uPlot, stretch: Stretch | null): void {
  const { width: plotPx, height: heightPx } = plot.over.getBoundingClientRect();
  if (stretch === null) return plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  const inside = (ms: number): number => Math.min(plotPx, Math.max(0, plot.valToPos(ms / 1_000, 'x')));
  const left = inside(stretch.sinceMs);
  plot.setSelect({ left, top: 0, width: inside(stretch.untilMs) - left, height: heightPx }, false);
}
