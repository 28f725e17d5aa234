import type { ReactNode } from 'react'
import classes from './note.module.css'

type Props = { tone?: 'good' | 'warn' | 'bad' | 'neutral'; icon?: ReactNode; children: ReactNode }

/** A short remark that stands out from the text around it, such as a warning or a recommendation. */
export function Note({ tone = 'neutral', icon, children }: Props) {
  return (
    <div className={classes.note} data-tone={tone} role={tone === 'bad' ? 'alert' : 'note'}>
      {icon}
      <div className={classes.text}>{children}</div>
    </div>
  )
}
