import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import classes from './side-nav-link.module.css'

type Props = Pick<LinkProps, 'to' | 'params' | 'activeOptions'> & {
  icon: ReactNode
  children: ReactNode
  /** A count or a hint at the end of the line. */
  end?: ReactNode
  onClick?: () => void
}

/** Links to a page from the sidebar and marks the page that is open. */
export function SideNavLink({ icon, children, end, ...link }: Props) {
  return (
    <Link {...link} className={classes.link} activeProps={{ 'data-active': true, 'aria-current': 'page' }}>
      <span className={classes.icon}>{icon}</span>
      <span className={classes.text}>{children}</span>
      {end}
    </Link>
  )
}
