import { Button, Menu, NativeSelect, SegmentedControl } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { feedbackText } from '../../text/distribution/feedback.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SearchField } from '../../ui/forms/search-field.tsx'
import { IconDownload, IconFilterOff, IconMessage } from '../../ui/icons/icons.ts'
import { ItemList } from '../../ui/item-list.tsx'
import { LoadMore } from '../../ui/loading/load-more.tsx'
import { Loaded } from '../../ui/loading/loaded.tsx'
import { FeedbackItem } from './feedback-item.tsx'
import classes from './feedback.module.css'
import { feedbackExportUrl, feedbackListQuery, type FeedbackSearch } from './feedback.queries.ts'

type Props = {
  applicationId: string
  /** Set if the list is about one build. */
  buildId?: string | undefined
  search: FeedbackSearch
  onChange: (change: FeedbackSearch) => void
}

/** The feedback about an application or a build, with filters and an export. */
export function FeedbackList({ applicationId, buildId, search, onChange }: Props) {
  const query = useInfiniteQuery({
    ...feedbackListQuery({ applicationId, buildId }, search),
    // Otherwise, the search field would be replaced while someone types in it.
    placeholderData: keepPreviousData,
  })
  const isFiltered = Object.values(search).some((value) => value !== undefined)
  return (
    <Loaded query={query}>
      {() => {
        const entries = query.data?.pages.flatMap(({ data }) => data) ?? []
        if (entries.length === 0 && !isFiltered)
          return (
            <EmptyState icon={<IconMessage size={22} />} title={feedbackText.emptyTitle}>
              {buildId === undefined ? feedbackText.empty : feedbackText.emptyBuild}
            </EmptyState>
          )
        return (
          <>
            <Toolbar {...{ applicationId, buildId, search, onChange }} />
            {entries.length === 0 ? (
              <EmptyState icon={<IconFilterOff size={22} />} title={feedbackText.noMatchTitle}>
                {feedbackText.noMatch}
              </EmptyState>
            ) : (
              <ItemList label="Feedback">
                {entries.map((feedback) => (
                  <FeedbackItem key={feedback.id} feedback={feedback} showsBuild={buildId === undefined} />
                ))}
              </ItemList>
            )}
            <LoadMore query={query}>Show more feedback</LoadMore>
          </>
        )
      }}
    </Loaded>
  )
}

const ratings = [
  { value: '', label: 'Any rating' },
  ...['5', '4', '3', '2', '1'].map((value) => ({
    value,
    label: value === '1' ? '1 star' : `${value} stars`,
  })),
]

function Toolbar({ applicationId, buildId, search, onChange }: Props) {
  return (
    <div className={classes.toolbar}>
      <SearchField
        label="feedback"
        placeholder="Text, name or device"
        value={search.q ?? ''}
        onChange={(q) => onChange({ q: q === '' ? undefined : q })}
      />
      <SegmentedControl
        size="xs"
        aria-label="State"
        value={search.state ?? 'all'}
        onChange={(state) => onChange({ state: state === 'all' ? undefined : state })}
        data={[
          { value: 'all', label: 'All' },
          { value: 'open', label: 'Open' },
          { value: 'closed', label: 'Closed' },
        ]}
      />
      <NativeSelect
        size="xs"
        aria-label="Rating"
        value={search.rating ?? ''}
        data={ratings}
        onChange={({ currentTarget: { value } }) => onChange({ rating: value === '' ? undefined : value })}
      />
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" size="xs" leftSection={<IconDownload size={14} />}>
            Export
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {(['csv', 'json'] as const).map((format) => (
            <Menu.Item
              key={format}
              component="a"
              href={feedbackExportUrl({ applicationId, buildId }, search, format)}
              download={`feedback.${format}`}
            >
              Export {format.toUpperCase()}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}
