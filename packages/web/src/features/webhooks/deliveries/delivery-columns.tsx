import { Badge, Checkbox } from '@mantine/core'
import type { WebhookRequest } from '@quayside/sdk'
import { eventTitle } from '../../../text/webhook-events.ts'
import { stateNames } from '../../../text/webhooks.ts'
import { plural } from '../../../ui/format/bytes.ts'
import { useNow } from '../../../ui/format/now.ts'
import { RelativeTime } from '../../../ui/format/relative-time.tsx'
import { relativeTime } from '../../../ui/format/time.ts'
import { IconCircleCheckFilled, IconCircleXFilled, IconClock } from '../../../ui/icons/icons.ts'
import type { Column } from '../../../ui/table/column.ts'
import { rowButton } from '../../../ui/table/table-row.tsx'
import classes from './delivery-list.module.css'
import { durationText, outcomeText, subjectOf } from './delivery.ts'

type Selection = { selected: ReadonlySet<string>; toggle: (id: string) => void }

/** Returns the columns: the status of a request, what it was about, and how the receiver responded. */
export const deliveryColumns = (
  openId: string | undefined,
  onOpen: (id: string) => void,
  selection: Selection | undefined,
): readonly Column<WebhookRequest>[] => [
  ...(selection === undefined ? [] : [selectColumn(selection)]),
  {
    id: 'state',
    label: 'Status',
    width: '1rem',
    cell: ({ state }) => <StateIcon state={state} />,
  },
  {
    id: 'request',
    label: 'Request',
    width: 'minmax(0, 1fr)',
    cell: (request) => (
      <button
        type="button"
        {...rowButton}
        data-request={request.id}
        aria-current={request.id === openId || undefined}
        onClick={() => onOpen(request.id)}
      >
        <span className={classes.title}>{subjectOf(request) ?? eventTitle(request.event)}</span>
        <span className={classes.event}>{eventTitle(request.event)}</span>
      </button>
    ),
  },
  {
    id: 'outcome',
    label: 'Outcome',
    width: 'auto',
    isAtEnd: true,
    cell: (request) => <Outcome request={request} />,
  },
]

const selectColumn = ({ selected, toggle }: Selection): Column<WebhookRequest> => ({
  id: 'select',
  label: 'Select',
  width: '1.25rem',
  isInteractive: true,
  cell: ({ id, state }) => (
    <span className={classes.check}>
      <Checkbox
        size="xs"
        aria-label="Select the request"
        checked={selected.has(id)}
        disabled={state === 'waiting'}
        onChange={() => toggle(id)}
      />
    </span>
  ),
})

function Outcome({ request }: { request: WebhookRequest }) {
  const now = useNow()
  const isTest = request.request_payload.data['test'] === true
  return (
    <div className={classes.outcome}>
      {[isTest && 'Test', request.redelivery_of !== null && 'Again'].map(
        (name) =>
          name !== false && (
            <Badge key={name} size="xs" variant="default" mr={6}>
              {name}
            </Badge>
          ),
      )}
      <RelativeTime time={request.created_at} short />
      <div className="tabular" data-state={request.state}>
        {[outcomeText(request), ...detailsOf(request, now)].join(' · ')}
      </div>
    </div>
  )
}

/** Returns when the next attempt is, or else how many attempts there were or how long the only one took. */
function detailsOf(
  { next_attempt_at: nextAt, delivery_attempts: attempts, duration }: WebhookRequest,
  nowMs: number,
): string[] {
  if (nextAt !== null && attempts > 0) return [`retry ${relativeTime(nextAt, nowMs)}`]
  if (attempts > 1) return [plural(attempts, 'attempt')]
  return duration === null ? [] : [durationText(duration)]
}

const icons = {
  delivered: { Icon: IconCircleCheckFilled, color: 'var(--q-good)' },
  waiting: { Icon: IconClock, color: 'var(--q-warn)' },
  failed: { Icon: IconCircleXFilled, color: 'var(--q-bad)' },
}

export function StateIcon({ state, size = 16 }: { state: WebhookRequest['state']; size?: number }) {
  const { Icon, color } = icons[state]
  return (
    <Icon size={size} color={color} role="img" aria-label={stateNames[state]} className={classes.state} />
  )
}
