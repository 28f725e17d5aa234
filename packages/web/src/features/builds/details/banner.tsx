import type { ReactNode } from 'react'
import classes from './build-banners.module.css'

type Props = {
  tone?: 'warn' | 'bad' | 'good'
  icon: ReactNode
  title: ReactNode
  children?: ReactNode
  action?: ReactNode
}

/** Says something that matters for the whole page, with the action that deals with it. */
export function Banner({ tone, icon, title, children, action }: Props) {
  return (
    <div className={classes.banner} data-tone={tone} role="status">
      {icon}
      <div className={classes.text}>
        <span className={classes.title}>{title}</span>
        {children}
      </div>
      {action}
    </div>
  )
}
