import { Group, Text, Title } from '@mantine/core'
import { createContext, use, useEffect, type ReactNode } from 'react'
import phoneBar from '../phone-bar.module.css'
import classes from './page-header.module.css'

/** The name of the application whose pages are below. The titles of their browser tabs start with it. */
export const TabTitlePrefix = createContext<string | undefined>(undefined)

type Props = {
  title: ReactNode
  /** The title of the browser tab without the application; the title of the page by default. */
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
  useTabTitle(tabTitle)
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
        <Group gap="xs" className={`${classes.actions} ${phoneBar.bar}`}>
          {actions}
        </Group>
      )}
    </header>
  )
}

/** Sets the title of the browser tab, such as "Aurora · Builds – Quayside". */
export function useTabTitle(title: string | undefined): void {
  const prefix = use(TabTitlePrefix)
  useEffect(() => {
    const names = [prefix, title].filter((name) => name !== undefined)
    document.title = names.length === 0 ? 'Quayside' : `${names.join(' · ')} – Quayside`
  }, [prefix, title])
}
