import type { TooltipProps } from '@mantine/core'
import { cloneElement, Suspense, useState, type PointerEvent, type ReactElement } from 'react'
import { lazyOptional } from './loading/lazy.tsx'

const HintTooltip = lazyOptional(async () => (await import('./hint-tooltip.tsx')).HintTooltip)

type HoverProps = { onPointerEnter?: (event: PointerEvent) => void }
export type HintOptions = Pick<TooltipProps, 'label' | 'multiline' | 'w' | 'maw' | 'disabled' | 'openDelay'>

type Props = HintOptions & { children: ReactElement<HoverProps> }

/**
 * Shows a text next to an element while the pointer is on it. The tooltip is created when the pointer first enters the
 * element: a list has hundreds of them, and creating a tooltip takes longer than the rest of a cell.
 */
export function Hint({ children, ...tooltip }: Props) {
  const [target, setTarget] = useState<Element>()
  const onPointerEnter = (event: PointerEvent) => {
    children.props.onPointerEnter?.(event)
    if (event.pointerType !== 'touch') setTarget(event.currentTarget)
  }
  return (
    <>
      {cloneElement(children, { onPointerEnter })}
      {target !== undefined && (
        <Suspense>
          <HintTooltip target={target} {...tooltip} />
        </Suspense>
      )}
    </>
  )
}
