// A tiny chart of how much changed on each of the last days.
import { formatCount } from './change-count.tsx';
import classes from './sparkline.module.css';

const HEIGHT = 28;
const BAR = 3;
const GAP = 1;
/** The least height of a day with changes. */
const LEAST = 3;

/** @param days changes of each day, the present one last */
export function Sparkline({ days }: { days: readonly number[] }) {
  const most = Math.max(1, ...days);
  const width = days.length * (BAR + GAP);
  const sum = days.reduce((total, count) => total + count, 0);
  return (
    <svg
      viewBox={`0 0 ${width} ${HEIGHT}`}
      width={width}
      height={HEIGHT}
      // An img element shows a file. These are a few bars in the theme's colours.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="img"
      aria-label={`${formatCount(sum)} ${sum === 1 ? 'change' : 'changes'} in ${days.length} days`}
      className={classes['sparkline']}
    >
      {days.map((count, day) => {
        const height = count === 0 ? 1 : Math.max(LEAST, Math.round((count / most) * HEIGHT));
        return (
          <rect
            // A day is identified by its position.
            // oxlint-disable-next-line react/no-array-index-key
            key={day}
            className={count === 0 ? classes['none'] : classes['some']}
            x={day * (BAR + GAP)}
            y={HEIGHT - height}
            width={BAR}
            height={height}
          />
        );
      })}
    </svg>
  );
}
