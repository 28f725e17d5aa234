import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'
import { IconChevronLeft } from '../icons/icons.ts'
import classes from './back-link.module.css'

function BackAnchor({ children, className = '', ...props }: ComponentPropsWithRef<'a'>) {
  return (
    <a {...props} className={`${classes.back} ${className}`}>
      <IconChevronLeft size={15} aria-hidden />
      {children}
    </a>
  )
}

/** Links to the list that a page belongs to. Stands above the title of the page. */
export const BackLink = createLink(BackAnchor)
