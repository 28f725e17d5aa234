import { Button, Select, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import type { Webhook, WebhookEvent, WebhookRequest } from '@quayside/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { optionalOneOf } from '../../../api/search-params.ts'
import { eventTexts } from '../../../text/webhook-events.ts'
import { stateNames, webhookText } from '../../../text/webhooks.ts'
import { plural } from '../../../ui/format/bytes.ts'
import { IconRefresh } from '../../../ui/icons/icons.ts'
import { FailureBanner } from '../../../ui/loading/failure-banner.tsx'
import { LoadMore } from '../../../ui/loading/load-more.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { webhookRequestsQuery } from '../webhook.queries.ts'
import { deliveryColumns } from './delivery-columns.tsx'
import classes from './delivery-list.module.css'
import { RedeliverDialog } from './redeliver-dialog.tsx'
import { useRedeliver } from './use-redeliver.ts'

const route = getRouteApi('/console/applications/$applicationId/webhooks/$webhookId')
const states = ['delivered', 'waiting', 'failed'] as const
const eventNames = Object.keys(eventTexts) as WebhookEvent[]

type Filter = { state: (typeof states)[number] | undefined; event: WebhookEvent | undefined }

type Props = { webhook: Webhook; canWrite: boolean }

/** The requests of a webhook, newest first. Its filters and the open request are in the URL. */
export function DeliveryList({ webhook, canWrite }: Props) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const filter: Filter = {
    state: optionalOneOf(search.state, states),
    event: optionalOneOf(search.event, eventNames),
  }
  const query = useInfiniteQuery(webhookRequestsQuery(webhook.application_id, webhook.id, filter))
  const [isRedelivering, setIsRedelivering] = useState(false)
  const requests = query.data?.pages.flatMap(({ data }) => data)
  const { selected, chosen, toggle, clear } = useRequestSelection(requests ?? [])
  const total = query.data?.pages[0]?.pagination.total ?? 0
  const isFiltered = filter.state !== undefined || filter.event !== undefined
  const open = (request: string | undefined) =>
    void navigate({ search: (previous) => ({ ...previous, request }), replace: true })
  useListKeys(requests ?? [], search.request, open)
  return (
    <section aria-label="Requests" className={classes.pane}>
      <DeliveryFilters {...filter} />
      <DeliveryBar
        webhook={webhook}
        chosen={chosen}
        total={query.data === undefined ? undefined : total}
        canWrite={canWrite}
        onClear={clear}
        onRedeliver={() => setIsRedelivering(true)}
      />
      {query.error !== null && <FailureBanner error={query.error} onRetry={() => void query.refetch()} />}
      {query.error === null && requests?.length !== 0 && (
        <DataTable
          label="Requests"
          columns={deliveryColumns(search.request, open, canWrite ? { selected, toggle } : undefined)}
          rows={requests}
          keyOf={({ id }) => id}
          isSelected={({ id }) => id === search.request}
          isActive={({ id }) => id === search.request}
          isStale={query.isPlaceholderData}
          isHeadHidden
          isCompact
        />
      )}
      {query.data !== undefined && total === 0 && (
        <Text className={classes.empty} fz="sm" c="dimmed">
          <b>{isFiltered ? 'No requests match' : 'No requests yet'}</b>
          {isFiltered ? webhookText.noMatchingDeliveries : webhookText.noDeliveries}
        </Text>
      )}
      <LoadMore query={query}>Show older requests</LoadMore>
      {isRedelivering && <RedeliverDialog webhook={webhook} onClose={() => setIsRedelivering(false)} />}
    </section>
  )
}

/** Returns the IDs of the selected requests, and those that can be delivered again. */
function useRequestSelection(requests: readonly WebhookRequest[]) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const toggle = (id: string) =>
    setSelected((current) => {
      const next = new Set(current)
      if (!next.delete(id)) next.add(id)
      return next
    })
  return {
    selected,
    chosen: requests.filter(({ id, state }) => selected.has(id) && state !== 'waiting'),
    toggle,
    clear: () => setSelected(new Set()),
  }
}

function DeliveryFilters({ state, event }: Filter) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <div className={classes.filters}>
      <Select
        size="xs"
        aria-label="Status"
        placeholder="Any status"
        clearable
        data={states.map((value) => ({ value, label: stateNames[value] }))}
        value={state ?? null}
        onChange={(value) => void navigate({ search: { ...search, state: value ?? undefined } })}
      />
      <Select
        size="xs"
        aria-label="Event"
        placeholder="Any event"
        clearable
        data={eventNames.map((value) => ({ value, label: eventTexts[value].title }))}
        value={event ?? null}
        onChange={(value) => void navigate({ search: { ...search, event: value ?? undefined } })}
      />
    </div>
  )
}

type BarProps = Props & {
  chosen: readonly WebhookRequest[]
  total: number | undefined
  onClear: () => void
  onRedeliver: () => void
}

/** What can be done with the selected requests or, if none is selected, with all of them. */
function DeliveryBar({ webhook, chosen, total, canWrite, onClear, onRedeliver }: BarProps) {
  const redeliver = useRedeliver(webhook)
  return (
    <div className={classes.bar} aria-live="polite">
      {chosen.length > 0 ? (
        <>
          <span>{chosen.length} selected</span>
          <Button
            size="compact-xs"
            variant="default"
            loading={redeliver.isPending}
            leftSection={<IconRefresh size={13} />}
            onClick={() => redeliver.mutate(chosen, { onSuccess: onClear })}
          >
            Redeliver
          </Button>
          <Button size="compact-xs" variant="subtle" color="gray" onClick={onClear}>
            Clear
          </Button>
        </>
      ) : (
        <>
          <span>{total === undefined ? '\u00A0' : plural(total, 'request')}</span>
          {canWrite && total !== undefined && total > 0 && (
            <Button
              size="compact-xs"
              variant="subtle"
              color="gray"
              leftSection={<IconRefresh size={13} />}
              onClick={onRedeliver}
            >
              Redeliver…
            </Button>
          )}
        </>
      )}
    </div>
  )
}

/** Opens the next and the previous request with j and k. */
function useListKeys(
  requests: readonly WebhookRequest[],
  opened: string | undefined,
  open: (id: string) => void,
): void {
  const move = (step: number) => {
    const position = requests.findIndex(({ id }) => id === opened)
    const next = requests[Math.min(requests.length - 1, Math.max(0, position + step))]
    if (next === undefined) return
    open(next.id)
    document.querySelector(`[data-request="${next.id}"]`)?.scrollIntoView({ block: 'nearest' })
  }
  useHotkeys([
    ['j', () => move(1)],
    ['k', () => move(-1)],
  ])
}
