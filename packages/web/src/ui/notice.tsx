import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './notice.module.css'

const icons = { info: IconInfoCircle, good: IconCircleCheck, bad: IconAlertTriangle }

type Props = { kind: keyof typeof icons; title: ReactNode; children?: ReactNode }

/** Says what has happened, or why something did not. Screen readers read it when it appears. */
export function Notice({ kind, title, children }: Props) {
  const Drawing = icons[kind]
  return (
    <div className={classes.notice} data-kind={kind} role={kind === 'bad' ? 'alert' : 'status'}>
      <Drawing size={18} className={classes.icon} aria-hidden />
      <div>
        <div className={classes.title}>{title}</div>
        {children !== undefined && <div className={classes.detail}>{children}</div>}
      </div>
    </div>
  )
}
