import { useHotkeys } from '@mantine/hooks'
import { useRef } from 'react'

/**
 * Moves the focus between the links of a list with j and k, so that Enter opens the focused one. The links have the
 * attribute `data-row-link`. Returns the ref of the list.
 */
export function useRowFocus<T extends HTMLElement>() {
  const ref = useRef<T>(null)
  const move = (step: number) => {
    const links = [...(ref.current?.querySelectorAll<HTMLElement>('[data-row-link]') ?? [])]
    const current = links.indexOf(document.activeElement as HTMLElement)
    const next = current === -1 ? 0 : Math.min(links.length - 1, Math.max(0, current + step))
    links[next]?.focus()
  }
  useHotkeys([
    ['j', () => move(1)],
    ['k', () => move(-1)],
  ])
  return ref
}
