import { Text, Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import classes from './settings-section.module.css'

type Props = {
  title: string
  /** What the settings are for, in one or two sentences. */
  description?: ReactNode
  /** A button that adds something to the section. */
  action?: ReactNode
  children: ReactNode
}

/** A titled part of a settings page. */
export function SettingsSection({ title, description, action, children }: Props) {
  const id = useId()
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div className={classes.head}>
        <div className={classes.text}>
          <Title order={2} id={id}>
            {title}
          </Title>
          {description !== undefined && (
            <Text component="div" c="dimmed" fz="sm">
              {description}
            </Text>
          )}
        </div>
        {action !== undefined && action !== false && <div className={classes.action}>{action}</div>}
      </div>
      {children}
    </section>
  )
}
