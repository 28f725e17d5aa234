import type { WebhookRequest } from '@quayside/sdk'
import { useEffect, useState } from 'react'
import { webhookText } from '../../../text/webhooks.ts'
import { dateFormat } from '../../../ui/format/date-format.ts'
import { absoluteTime, calendarDay } from '../../../ui/format/time.ts'
import { Hint } from '../../../ui/hint.tsx'
import { StatusDot } from '../../../ui/status/status-dot.tsx'
import classes from './attempt-timeline.module.css'
import { countdownText, durationText, outcomeText } from './delivery.ts'

const timeOfDay = dateFormat({ timeStyle: 'medium' })
const dayAndTime = dateFormat({
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
})

/** Lists the attempts of a request, and counts down to the next one. */
export function AttemptTimeline({ request }: { request: WebhookRequest }) {
  const { attempts, delivery_attempts: count, next_attempt_at: nextAt, created_at: createdAt } = request
  const missing = count - attempts.length - (request.state === 'waiting' ? 1 : 0)
  return (
    <ol className={classes.timeline} aria-label="Attempts">
      {missing > 0 && <li className={classes.soft}>{webhookText.notRecorded}</li>}
      {attempts.map((attempt, index) => {
        const isGood = attempt.response_code !== null && Math.trunc(attempt.response_code / 100) === 2
        return (
          <li key={attempt.started_at} className={classes.attempt}>
            <StatusDot tone={isGood ? 'good' : 'bad'} />
            <span className={classes.number}>{index + 1 + Math.max(0, missing)}</span>
            <Hint label={absoluteTime(attempt.started_at)}>
              <time dateTime={attempt.started_at} className={classes.time}>
                {timeText(attempt.started_at, createdAt)}
              </time>
            </Hint>
            <b>{outcomeText(attempt)}</b>
            <span className={classes.soft}>{durationText(attempt.duration)}</span>
            {attempt.error !== null && <span className={classes.error}>{attempt.error}</span>}
          </li>
        )
      })}
      {nextAt !== null && (
        <li className={classes.attempt}>
          <StatusDot tone="new" />
          <span className={classes.number}>{attempts.length + 1 + Math.max(0, missing)}</span>
          <NextAttempt at={nextAt} />
        </li>
      )}
    </ol>
  )
}

/** Returns the time of day, with the date if the attempt was on a later day than the request. */
function timeText(startedAt: string, createdAt: string): string {
  return (calendarDay(startedAt) === calendarDay(createdAt) ? timeOfDay : dayAndTime)(new Date(startedAt))
}

function NextAttempt({ at }: { at: string }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const remaining = countdownText(Date.parse(at), now)
  return (
    <span className="tabular">
      {remaining === undefined ? webhookText.sending : `Next attempt in ${remaining}`}
    </span>
  )
}
