import { Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { HintOptions } from './hint.tsx'

/** Shows the tooltip of an element that the pointer has entered. */
export function HintTooltip({ target, openDelay = 350, ...tooltip }: HintOptions & { target: Element }) {
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const openLater = () => {
      clearTimeout(timer)
      timer = setTimeout(() => setIsOpen(true), openDelay)
    }
    const close = () => {
      clearTimeout(timer)
      setIsOpen(false)
    }
    openLater()
    target.addEventListener('pointerenter', openLater)
    target.addEventListener('pointerleave', close)
    return () => {
      clearTimeout(timer)
      target.removeEventListener('pointerenter', openLater)
      target.removeEventListener('pointerleave', close)
    }
  }, [target, openDelay])
  // An icon is not an HTML element, so it is passed as a reference.
  return <Tooltip {...tooltip} target={{ current: target as HTMLElement }} opened={isOpen} />
}
