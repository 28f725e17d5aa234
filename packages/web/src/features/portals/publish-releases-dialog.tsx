import { Checkbox, ScrollArea, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { PortalRelease } from '@quayside/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { portalText } from '../../text/distribution/portals.ts'
import { plural } from '../../ui/format/bytes.ts'
import { calendarDay } from '../../ui/format/time.ts'
import { ConfirmDialog } from '../../ui/forms/confirm-dialog.tsx'
import { IconSearch } from '../../ui/icons/icons.ts'
import { FailureBanner } from '../../ui/loading/failure-banner.tsx'
import { releaseOptionsQuery } from '../releases/release.queries.ts'
import type { PortalApplication } from './portal.queries.ts'

type Props = {
  application: PortalApplication
  /** The releases that are already in the portal. */
  published: readonly PortalRelease[]
  onPublish: (releaseId: string) => Promise<void>
  onClose: () => void
}

/** Publishes releases of an application individually in a portal. */
export function PublishReleasesDialog({ application, published, onPublish, onClose }: Props) {
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), 150)
  const query = useQuery({
    ...releaseOptionsQuery(application.id, search, 'published'),
    placeholderData: keepPreviousData,
  })
  const [selected, setSelected] = useState<string[]>([])
  const releases = query.data?.filter(({ id }) => !published.some((release) => release.id === id))
  async function publish(): Promise<void> {
    for (const id of selected) {
      await onPublish(id)
      setSelected((ids) => ids.filter((each) => each !== id))
    }
  }
  return (
    <ConfirmDialog
      title={`Publish releases of ${application.name}`}
      confirmLabel={selected.length === 0 ? 'Publish' : `Publish ${plural(selected.length, 'release')}`}
      onConfirm={publish}
      onClose={onClose}
      isDisabled={selected.length === 0}
    >
      <Stack>
        <TextInput
          leftSection={<IconSearch size={15} />}
          placeholder="Version or title"
          aria-label="Search releases"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          data-autofocus
        />
        {releases === undefined && query.error === null && <Skeleton height={140} />}
        {releases?.length === 0 && (
          <Text fz="sm" c="dimmed">
            {search === '' ? portalText.noPublishedReleases : portalText.noMatch}
          </Text>
        )}
        <ScrollArea.Autosize mah="50vh">
          <Checkbox.Group value={selected} onChange={setSelected} aria-label="Releases">
            <Stack gap="xs" p={2}>
              {releases?.map(({ id, version, title, published_at: at }) => (
                <Checkbox
                  key={id}
                  value={id}
                  label={title === version ? version : `${version} · ${title}`}
                  description={at === null ? undefined : `Published ${calendarDay(at)}`}
                />
              ))}
            </Stack>
          </Checkbox.Group>
        </ScrollArea.Autosize>
        {query.error !== null && <FailureBanner error={query.error} />}
      </Stack>
    </ConfirmDialog>
  )
}
