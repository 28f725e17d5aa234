import { ScrollArea, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import type { Application, View } from '@quayside/sdk'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Suspense, useRef, useState, type DragEvent, type KeyboardEvent } from 'react'
import { useSession } from '../api/session.ts'
import { applicationsQuery } from '../features/applications/application.queries.ts'
import { usePins } from '../features/pins/pin.queries.ts'
import { pinText } from '../text/pins.ts'
import { ApplicationIcon } from '../ui/application-icon.tsx'
import { IconBookmark, IconPlus, IconSelector } from '../ui/icons/icons.ts'
import { lazyOptional } from '../ui/loading/lazy.tsx'
import { SideNavLink } from '../ui/navigation/side-nav-link.tsx'
import { openPalette } from './palette/palette-store.ts'
import { useRecentApplications } from './palette/recent-pages.ts'
import { shownApplications } from './shown-applications.ts'
import classes from './sidebar-applications.module.css'

const ApplicationActions = lazyOptional(
  async () => (await import('./application-actions.tsx')).ApplicationActions,
)

/** The pinned applications in the person's order, then the others, or the recent ones if there are many. */
export function SidebarApplications({ isInDrawer }: { isInDrawer: boolean }) {
  // Rows show their menus while the pointer or the focus is on them, so the menus are not part of the first load.
  const [isUsed, setIsUsed] = useState(isInDrawer)
  const use = () => setIsUsed(true)
  const { can } = useSession()
  const { data: applications } = useSuspenseQuery(applicationsQuery)
  const { applicationId: openId } = useParams({ strict: false })
  const pins = usePins()
  const recentIds = useRecentApplications()
  const shown = shownApplications({ applications, pins, recentIds, openId })
  const reorder = useReorder(pins, applications)
  return (
    <ScrollArea className={classes.applications} type="hover" scrollbarSize={6}>
      <ul className={classes.list} onPointerEnter={use} onFocus={use}>
        {shown.map((application) => (
          <ApplicationRow
            key={application.id}
            application={application}
            views={pins.views.filter((view) => view.application_id === application.id)}
            pins={pins}
            reorder={reorder}
            isActive={isUsed}
          />
        ))}
      </ul>
      <VisuallyHidden role="status">{reorder.announcement}</VisuallyHidden>
      {applications.length > shown.length && (
        <UnstyledButton className={classes.all} onClick={() => openPalette('applications')}>
          <IconSelector size={18} />
          <span>{pinText.findApplication}</span>
          <span className="soft tabular">{applications.length}</span>
        </UnstyledButton>
      )}
      {applications.length === 0 && !can('applications:create') && (
        <Text className={classes.none}>None yet</Text>
      )}
      {can('applications:create') && (
        <SideNavLink to="/applications/new" icon={<IconPlus size={18} />}>
          New application
        </SideNavLink>
      )}
    </ScrollArea>
  )
}

type Pins = ReturnType<typeof usePins>
type Reorder = ReturnType<typeof useReorder>
type RowProps = {
  application: Application
  views: readonly View[]
  pins: Pins
  reorder: Reorder
  isActive: boolean
}

function ApplicationRow({ application, views, pins, reorder, isActive }: RowProps) {
  const { id, name, icon_url: url } = application
  const isPinned = pins.applicationIds.includes(id)
  return (
    <li className={classes.item}>
      <div className={classes.row} {...reorder.propsOf(id, isPinned)}>
        <SideNavLink
          to="/applications/$applicationId"
          params={{ applicationId: id }}
          icon={<ApplicationIcon name={name} url={url} size={20} />}
        >
          {name}
        </SideNavLink>
        <div className={classes.actions}>
          {isActive && (
            <Suspense>
              <ApplicationActions id={id} name={name} pins={pins} move={reorder.move} />
            </Suspense>
          )}
        </div>
      </div>
      {views.length > 0 && (
        <ul className={classes.views}>
          {views.map((view) => (
            <li key={view.id}>
              <SideNavLink
                to="/applications/$applicationId/views/$viewId"
                params={{ applicationId: id, viewId: view.id }}
                icon={<IconBookmark size={16} />}
              >
                {view.name}
              </SideNavLink>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

const steps: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 }

/** Moves pinned applications by dragging and with Alt and the arrow keys, and says where they are. */
function useReorder({ applicationIds: ids, change }: Pins, applications: readonly Application[]) {
  const [announcement, setAnnouncement] = useState('')
  const [target, setTarget] = useState<string>()
  const dragged = useRef<string>(undefined)
  function move(id: string, position: number): void {
    if (position < 0 || position >= ids.length || ids[position] === id) return
    const name = applications.find((application) => application.id === id)?.name ?? ''
    const count = ids.includes(id) ? ids.length : ids.length + 1
    setAnnouncement(pinText.moved(name, position + 1, count))
    void change({ application_ids: ids.filter((each) => each !== id).toSpliced(position, 0, id) })
  }
  function moveByKey(event: KeyboardEvent<HTMLElement>, id: string): void {
    const step = steps[event.key]
    if (!event.altKey || step === undefined || event.target instanceof HTMLButtonElement) return
    event.preventDefault()
    const link = event.target
    move(id, ids.indexOf(id) + step)
    // The browser takes the focus from an element that is moved.
    requestAnimationFrame(() => link instanceof HTMLElement && link.focus())
  }
  return {
    announcement,
    move,
    /** Returns what makes a row movable. Only pinned applications have a place to drop on. */
    propsOf: (id: string, isPinned: boolean) => ({
      'data-target': target === id || undefined,
      'aria-description': isPinned ? pinText.reorderHint : undefined,
      onDragStart: (event: DragEvent) => {
        dragged.current = id
        event.dataTransfer.effectAllowed = 'move'
      },
      onDragEnd: () => {
        dragged.current = undefined
        setTarget(undefined)
      },
      ...(isPinned && {
        onKeyDown: (event: KeyboardEvent<HTMLElement>) => moveByKey(event, id),
        onDragOver: (event: DragEvent) => {
          if (dragged.current === undefined) return
          event.preventDefault()
          setTarget(id)
        },
        onDragLeave: () => setTarget(undefined),
        onDrop: (event: DragEvent) => {
          event.preventDefault()
          setTarget(undefined)
          if (dragged.current !== undefined) move(dragged.current, ids.indexOf(id))
        },
      }),
    }),
  }
}
