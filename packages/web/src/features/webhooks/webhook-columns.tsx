import type { Webhook } from '@quayside/sdk'
import { Link } from '@tanstack/react-router'
import { eventTitle } from '../../text/webhook-events.ts'
import { formatNames } from '../../text/webhooks.ts'
import { useNow } from '../../ui/format/now.ts'
import { LabelDot } from '../../ui/status/label-dot.tsx'
import { StatusDot } from '../../ui/status/status-dot.tsx'
import type { Column } from '../../ui/table/column.ts'
import { rowLink } from '../../ui/table/table-row.tsx'
import { healthOf, webhookName } from './webhook-health.ts'
import classes from './webhook-list-page.module.css'
import { WebhookMenu } from './webhook-menu.tsx'

/** Where a webhook sends requests, when, and whether they arrive. */
export const webhookColumns: readonly Column<Webhook>[] = [
  {
    id: 'webhook',
    label: 'Webhook',
    width: 'minmax(0, 1fr)',
    hasLines: true,
    cell: (webhook) => (
      <>
        <span className={classes.name}>
          <Health webhook={webhook} isDot />
          <Link
            to="/applications/$applicationId/webhooks/$webhookId"
            params={{ applicationId: webhook.application_id, webhookId: webhook.id }}
            {...rowLink}
          >
            {webhookName(webhook)}
          </Link>
        </span>
        <span className={classes.url}>{webhook.url}</span>
      </>
    ),
  },
  {
    id: 'event',
    label: 'Event',
    width: '15rem',
    hasLines: true,
    cell: ({ event, event_subscription: { stream, label }, format, ...webhook }) => (
      <>
        {eventTitle(event)}
        <span className={classes.details}>
          {stream !== null && <span>in {stream.name}</span>}
          {label !== null && <LabelDot name={label.name} color={label.color} />}
          <span>{formatNames[format]}</span>
          {webhook.secret_configured && <span>{webhook.secret_is_weak ? 'weak secret' : 'signed'}</span>}
        </span>
      </>
    ),
  },
  {
    id: 'health',
    label: 'Health',
    width: '13rem',
    hasLines: true,
    cell: (webhook) => <Health webhook={webhook} />,
  },
  {
    id: 'menu',
    label: 'Actions',
    isLabelHidden: true,
    width: '2.25rem',
    isAtEnd: true,
    isInteractive: true,
    cell: (webhook) => <WebhookMenu webhook={webhook} />,
  },
]

function Health({ webhook, isDot = false }: { webhook: Webhook; isDot?: boolean }) {
  const { tone, label, detail } = healthOf(webhook, useNow())
  if (isDot) return <StatusDot tone={tone} />
  return (
    <div className={classes.health} data-tone={tone}>
      <b>{label}</b>
      <span className={classes.details}>{detail}</span>
    </div>
  )
}
