import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './empty-state.module.css'

type Props = {
  icon?: ReactNode
  title: string
  /** What belongs here and why. */
  children?: ReactNode
  /** The action that fills the page, and the command that does the same. */
  action?: ReactNode
  /** Whether the page consists only of this explanation, so that its title is that of the page. */
  isPage?: boolean
}

/** Explains what belongs in a place that is still empty, and offers the action that fills it. */
export function EmptyState({ icon, title, children, action, isPage = false }: Props) {
  return (
    <Stack className={classes.empty} align="center" gap="xs">
      {icon !== undefined && <div className={classes.icon}>{icon}</div>}
      <Title order={isPage ? 1 : 2} size="h2">
        {title}
      </Title>
      {children !== undefined && (
        <Text component="div" className={classes.text} c="dimmed" ta="center" maw="34rem">
          {children}
        </Text>
      )}
      {action !== undefined && <div className={classes.action}>{action}</div>}
    </Stack>
  )
}
