import '@mantine/spotlight/styles.layer.css'
import { Spotlight, spotlight } from '@mantine/spotlight'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { applicationsQuery } from '../../features/applications/application.queries.ts'
import { pinText } from '../../text/pins.ts'
import { searchText } from '../../text/search.ts'
import { IconSearch } from '../../ui/icons/icons.ts'
import { lazyDialog } from '../../ui/loading/lazy.tsx'
import { listPageActions, subscribeToPageActions } from '../page-actions.ts'
import { filterActions } from './filter-actions.ts'
import { useActions } from './palette-actions.tsx'
import { useApplications, usePlaces, useRecent } from './palette-places.tsx'
import { useResults } from './palette-results.tsx'
import { requestedScope, setOpenPalette, takeTypedText } from './palette-store.ts'

const InviteDialog = lazyDialog(
  async () => (await import('../../features/members/invite-dialog.tsx')).InviteDialog,
)

/** Goes to any item, page or setting, and runs actions. Opens with Ctrl+K or ⌘K. */
export function CommandPalette() {
  const [text, setText] = useState('')
  const [scope, setScope] = useState(requestedScope)
  const isSwitcher = scope === 'applications'
  // The palette is loaded when it is opened for the first time.
  useEffect(() => {
    setOpenPalette(() => {
      setScope(requestedScope())
      spotlight.open()
    })
    spotlight.open()
  }, [])
  const pageActions = useSyncExternalStore(subscribeToPageActions, listPageActions)
  const { data: applications } = useSuspenseQuery(applicationsQuery)
  const { applicationId } = useParams({ strict: false })
  const application = applications.find(({ id }) => id === applicationId) ?? applications[0]
  const [isInviting, setIsInviting] = useState(false)
  const recent = useRecent()
  const switcher = [{ group: 'Applications', actions: useApplications() }]
  const everything = [
    { group: 'On this page', actions: pageActions },
    ...(text.trim() === '' ? [{ group: 'Recent', actions: recent }] : []),
    ...useResults(text, application),
    ...usePlaces(application, text),
    { group: 'Actions', actions: useActions({ application, onInvite: () => setIsInviting(true) }) },
  ]
  return (
    <>
      <Spotlight
        actions={filterActions(text, isSwitcher ? switcher : everything)}
        filter={(_, filtered) => filtered}
        query={text}
        onQueryChange={setText}
        shortcut={['mod + K']}
        onSpotlightClose={() => setScope('everything')}
        nothingFound={isSwitcher ? searchText.noApplication : searchText.nothingFound(application?.name)}
        highlightQuery
        limit={60}
        scrollable
        maxHeight="60vh"
        attributes={{ content: { 'aria-label': isSwitcher ? pinText.switchTo : 'Search' } }}
        searchProps={{
          leftSection: <IconSearch size={18} />,
          placeholder: isSwitcher
            ? pinText.switchTo
            : 'Go to a build, release, person or setting, or run an action',
          'aria-label': 'Search',
          onFocus: () => setText((current) => takeTypedText() || current),
        }}
      />
      {isInviting && (
        <Suspense>
          <InviteDialog onClose={() => setIsInviting(false)} />
        </Suspense>
      )}
    </>
  )
}
