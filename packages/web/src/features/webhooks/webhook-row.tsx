import type { Webhook } from '@quayside/sdk'
import { Link } from '@tanstack/react-router'
import { eventTitle, formatNames } from '../../text/webhooks.ts'
import { LabelDot } from '../../ui/label-dot.tsx'
import { useNow } from '../../ui/now.ts'
import { StatusDot } from '../../ui/status-dot.tsx'
import { healthOf, webhookName } from './webhook-health.ts'
import classes from './webhook-list-page.module.css'
import { WebhookMenu } from './webhook-menu.tsx'

/** A webhook in the list: where it sends requests, when, and whether they arrive. */
export function WebhookRow({ webhook }: { webhook: Webhook }) {
  const health = healthOf(webhook, useNow())
  const { stream, label } = webhook.event_subscription
  return (
    <li className={classes.row}>
      <div className={classes.main}>
        <span className={classes.name}>
          <StatusDot tone={health.tone} />
          <Link
            to="/applications/$applicationId/webhooks/$webhookId"
            params={{ applicationId: webhook.application_id, webhookId: webhook.id }}
          >
            {webhookName(webhook)}
          </Link>
        </span>
        <span className={classes.url}>{webhook.url}</span>
      </div>
      <div className={classes.event}>
        {eventTitle(webhook.event)}
        <span className={classes.narrowing}>
          {stream !== null && <span>in {stream.name}</span>}
          {label !== null && <LabelDot name={label.name} color={label.color} />}
          <span>{formatNames[webhook.format]}</span>
          {webhook.secret_configured && <span>signed</span>}
        </span>
      </div>
      <div className={classes.health} data-tone={health.tone}>
        <b>{health.label}</b>
        <span className={classes.soft}>{health.detail}</span>
      </div>
      <div className={classes.menu}>
        <WebhookMenu webhook={webhook} />
      </div>
    </li>
  )
}
