import { Box, type BoxProps } from '@mantine/core'
import type { ReactNode } from 'react'
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconInfoCircle,
  IconPlayerPause,
  IconPlugConnectedX,
} from './icons/icons.ts'
import classes from './notice.module.css'

const icons = {
  info: IconInfoCircle,
  good: IconCircleCheck,
  warn: IconAlertTriangle,
  bad: IconAlertTriangle,
  offline: IconPlugConnectedX,
  off: IconPlayerPause,
}

type Props = {
  kind: keyof typeof icons
  /** Takes the place of the usual icon. */
  icon?: ReactNode
  title?: ReactNode
  children?: ReactNode
  /** A button that deals with it. */
  action?: ReactNode
  /** Overrides when screen readers read it. */
  role?: 'status'
  /** The margin below it. */
  mb?: BoxProps['mb']
}

/** Says what has happened, or what to consider. Screen readers read a failure, and what has a title, when it appears. */
export function Notice({ kind, icon, title, children, action, role, mb }: Props) {
  const Drawing = icons[kind]
  const tone = kind === 'offline' ? 'bad' : kind
  const usualRole = tone === 'bad' ? 'alert' : title === undefined ? 'note' : 'status'
  return (
    <Box className={classes.notice} data-kind={tone} role={role ?? usualRole} mb={mb}>
      <span className={classes.icon}>{icon ?? <Drawing size={18} aria-hidden />}</span>
      <div className={classes.text}>
        {title !== undefined && <div className={classes.title}>{title}</div>}
        {children !== undefined && children !== false && <div className={classes.detail}>{children}</div>}
      </div>
      {action}
    </Box>
  )
}
