import { Badge } from '@mantine/core'
import type { WebhookRequest } from '@quayside/sdk'
import { IconCircleCheckFilled, IconCircleXFilled, IconClock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { eventTitle, stateNames } from '../../text/webhooks.ts'
import { plural } from '../../ui/bytes.ts'
import { useNow } from '../../ui/now.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { relativeTime } from '../../ui/time.ts'
import classes from './delivery-list.module.css'
import { durationText, outcomeText, subjectOf } from './delivery.ts'

type Props = { request: WebhookRequest; isOpen: boolean; onOpen: () => void; checkbox: ReactNode }

/** A request in the list: its status, what it was about, and how the receiver responded. */
export function DeliveryRow({ request, isOpen, onOpen, checkbox }: Props) {
  const { event, state } = request
  const now = useNow()
  const isTest = request.request_payload.data['test'] === true
  return (
    <li className={classes.row} data-open={isOpen || undefined} data-request={request.id}>
      {checkbox !== false && <span className={classes.check}>{checkbox}</span>}
      <StateIcon state={state} />
      <button type="button" className={classes.open} aria-current={isOpen || undefined} onClick={onOpen}>
        <span className={classes.title}>{subjectOf(request) ?? eventTitle(event)}</span>
        <span className={classes.soft}>{eventTitle(event)}</span>
      </button>
      <span className={classes.end}>
        <span className={classes.badges}>
          {isTest && (
            <Badge size="xs" variant="default">
              Test
            </Badge>
          )}
          {request.redelivery_of !== null && (
            <Badge size="xs" variant="default">
              Again
            </Badge>
          )}
          <RelativeTime time={request.created_at} short />
        </span>
        <span className={classes.outcome} data-state={state}>
          {[outcomeText(request), ...detailsOf(request, now)].join(' · ')}
        </span>
      </span>
    </li>
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
