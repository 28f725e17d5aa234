import { Group, Text, Title } from '@mantine/core'
import { useEffect, type ReactNode } from 'react'
import classes from './page-header.module.css'

type Props = {
  title: ReactNode
  /** The title of the browser tab; the title of the page by default. */
  documentTitle?: string
  /** Short facts in one line below the title. */
  facts?: ReactNode
  /** An image left of the title. */
  icon?: ReactNode
  /** At most one of the actions is primary. */
  actions?: ReactNode
}

/** Shows the title of a page with its facts and actions, and sets the title of the browser tab. */
export function PageHeader({ title, documentTitle, facts, icon, actions }: Props) {
  const tabTitle = documentTitle ?? (typeof title === 'string' ? title : undefined)
  useEffect(() => {
    document.title = tabTitle === undefined ? 'Quayside' : `${tabTitle} – Quayside`
  }, [tabTitle])
  return (
    <header className={classes.header}>
      {icon}
      <div className={classes.text}>
        <Title order={1}>{title}</Title>
        {facts !== undefined && (
          <Text component="div" c="dimmed" fz="sm">
            {facts}
          </Text>
        )}
      </div>
      {actions !== undefined && (
        <Group gap="xs" className={classes.actions}>
          {actions}
        </Group>
      )}
    </header>
  )
}
