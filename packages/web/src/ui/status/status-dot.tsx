import classes from './status-dot.module.css'

export type Tone = 'good' | 'warn' | 'bad' | 'off' | 'new'

/** A dot in the color of a status. The text beside it says the same. */
export function StatusDot({ tone }: { tone: Tone }) {
  return <span className={classes.dot} data-tone={tone} aria-hidden />
}
