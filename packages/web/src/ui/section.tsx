import { Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import classes from './section.module.css'

type Props = {
  title: ReactNode
  /** Small buttons at the end of the title. */
  actions?: ReactNode
  children: ReactNode
}

/** A titled part of a page. */
export function Section({ title, actions, children }: Props) {
  const id = useId()
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div className={classes.head}>
        <Title order={2} className={classes.title} id={id}>
          {title}
        </Title>
        {actions}
      </div>
      {children}
    </section>
  )
}
