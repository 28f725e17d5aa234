import type { ReactNode } from 'react'
import classes from './state-badge.module.css'

type Tone = 'good' | 'warn' | 'bad' | 'neutral'

/** Shows the state of a resource beside its title. */
export function StateBadge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={classes.badge} data-tone={tone}>
      {children}
    </span>
  )
}
