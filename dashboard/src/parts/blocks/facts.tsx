// Names and values side by side: the facts about one object.
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
