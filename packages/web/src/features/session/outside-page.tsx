import { Text, Title } from '@mantine/core'
import { useEffect, useRef, type ReactNode } from 'react'
import { useTypedText } from '../../frame/keep-typed-text.ts'
import { Logo } from '../../frame/logo.tsx'
import { PageBanner } from '../../frame/page-banner.tsx'
import classes from './outside-page.module.css'

type Props = {
  title: string
  /** One or two sentences below the title. */
  description?: ReactNode
  /** Links to other pages, below the card. */
  footer?: ReactNode
  isWide?: boolean
  children?: ReactNode
}

/** The page for people who are not signed in: one card in the middle. Sets the title of the browser tab. */
export function OutsidePage({ title, description, footer, isWide = false, children }: Props) {
  useTypedText()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} – Quayside`
    // The control that led here is gone, so keyboards and screen readers continue at the title.
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [title])
  return (
    <main className={classes.page} data-wide={isWide || undefined}>
      <PageBanner />
      <div className={classes.column}>
        <div className={classes.logo}>
          <Logo />
        </div>
        <div className={classes.card}>
          <div className={classes.head}>
            <Title order={1} ref={heading} tabIndex={-1} className={classes.title}>
              {title}
            </Title>
            {description !== undefined && (
              <Text component="div" c="dimmed" mt={4}>
                {description}
              </Text>
            )}
          </div>
          {children}
        </div>
        {footer !== undefined && <div className={classes.footer}>{footer}</div>}
      </div>
    </main>
  )
}
