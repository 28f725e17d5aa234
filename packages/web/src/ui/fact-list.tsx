import type { ReactNode } from 'react'
import classes from './fact-list.module.css'

/** Lists names with their values. Its children are facts. A dense list has no lines between them. */
export function FactList({ isDense = false, children }: { isDense?: boolean; children: ReactNode }) {
  return (
    <dl className={classes.list} data-dense={isDense || undefined}>
      {children}
    </dl>
  )
}

/** A name with its value. Shows nothing if there is no value. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (children === null || children === undefined || children === '' || children === false) return null
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}
