import type { ReactNode } from 'react'
import classes from './item-list.module.css'

/** Lists resources, one per line on wide screens and as blocks on phones. */
export function ItemList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={classes.list} aria-label={label}>
      {children}
    </ul>
  )
}

type ItemProps = {
  /** An icon or a photo. */
  leading?: ReactNode
  title: ReactNode
  /** Short facts below the title. */
  detail?: ReactNode
  /** Controls and facts at the end of the line, below the text on phones. */
  end?: ReactNode
  /** The menu of the resource, which stays beside the title on phones. */
  menu?: ReactNode
  /** Whether the resource no longer has an effect, such as a revoked key. */
  isMuted?: boolean
  /** Whether `children` are above `end` on phones, because people read them first. */
  isReadFirst?: boolean
  /** More about the resource, over the whole width. */
  children?: ReactNode
}

/** A line of an `ItemList`. */
export function Item({
  leading,
  title,
  detail,
  end,
  menu,
  isMuted = false,
  isReadFirst = false,
  children,
}: ItemProps) {
  return (
    <li className={classes.item} data-muted={isMuted || undefined} data-read-first={isReadFirst || undefined}>
      {isShown(leading) && <div className={classes.leading}>{leading}</div>}
      <div className={classes.text}>
        <div className={classes.title}>{title}</div>
        {isShown(detail) && <div className={classes.detail}>{detail}</div>}
      </div>
      {isShown(end) && <div className={classes.end}>{end}</div>}
      {isShown(menu) && <div className={classes.menu}>{menu}</div>}
      {isShown(children) && <div className={classes.more}>{children}</div>}
    </li>
  )
}

const isShown = (node: ReactNode): boolean => node !== undefined && node !== null && node !== false
