import { useHotkeys } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useState, type RefObject } from 'react'
import type { BuildTableHandle } from './build-table.tsx'
import type { useBuildLines } from './use-build-lines.ts'

type RowKeys = {
  lines: ReturnType<typeof useBuildLines>
  select: (position: number, withRange: boolean) => void
  clear: () => void
  table: RefObject<BuildTableHandle | null>
  applicationId: string
}

/**
 * Moves through the lines with j and k, opens a build with Enter, selects it with x, and opens and closes groups with the
 * arrow keys. Returns the active line.
 */
export function useRowKeys({ lines, select, clear, table, applicationId }: RowKeys): number | undefined {
  const navigate = useNavigate()
  const [active, setActive] = useState<number>()
  const move = (step: number) => {
    const next = Math.min(lines.total - 1, Math.max(0, (active ?? -1) + step))
    setActive(next)
    table.current?.showRow(next)
  }
  const toggle = (opens: boolean) => {
    const build = active === undefined ? undefined : lines.lineAt(active)?.build
    if (build?.group !== undefined && build.group.size > 1 && lines.isOpen(build) !== opens)
      lines.toggle(build)
  }
  useHotkeys([
    ['j', () => move(1)],
    ['k', () => move(-1)],
    ['x', () => active !== undefined && select(active, false)],
    ['shift+x', () => active !== undefined && select(active, true)],
    ['ArrowRight', () => toggle(true), { preventDefault: false }],
    ['ArrowLeft', () => toggle(false), { preventDefault: false }],
    ['Escape', clear],
    [
      'Enter',
      () => {
        const build = active === undefined ? undefined : lines.lineAt(active)?.build
        if (build === undefined || document.activeElement !== document.body) return
        void navigate({
          to: '/applications/$applicationId/builds/$buildId',
          params: { applicationId, buildId: build.id },
        })
      },
      { preventDefault: false },
    ],
  ])
  return active
}
