// Names and values beside each other: what is known about one thing.
import type { ReactNode } from 'react';
import classes from './facts.module.css';

export const Facts = ({ children }: { children: ReactNode }) => (
  <dl className={classes['facts']}>{children}</dl>
);

export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className={classes['fact']}>
    <dt className={classes['name']}>{name}</dt>
    <dd className={classes['value']}>{children}</dd>
  </div>
);
