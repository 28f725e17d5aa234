import { SegmentedControl, Skeleton, Text, UnstyledButton } from '@mantine/core'
import type { Webhook, WebhookEvent, WebhookSample } from '@quayside/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatNames, webhookText } from '../../text/webhooks.ts'
import { CopyButton } from '../../ui/copy/copy-button.tsx'
import { JsonView, prettyJson } from '../../ui/json-view.tsx'
import { FailureBanner } from '../../ui/loading/failure-banner.tsx'
import classes from './webhook-dialog.module.css'
import { isChatFormat } from './webhook-format.ts'
import { webhookSampleQuery } from './webhook.queries.ts'

type Props = { applicationId: string; event: WebhookEvent; format: Webhook['format'] }

/** Shows what a webhook sends: the chat message as a card, or the body. */
export function SamplePreview({ applicationId, event, format }: Props) {
  const [view, setView] = useState<'card' | 'body'>('card')
  const { data: sample, error } = useQuery(webhookSampleQuery(applicationId, event, format))
  const isChat = isChatFormat(format)
  const body = sample === undefined ? '' : (prettyJson(sample.body) ?? sample.body)
  return (
    <section className={classes.preview} aria-label="Sample">
      <div className={classes.previewTitle}>
        {isChat ? (
          <SegmentedControl
            size="xs"
            aria-label="Sample view"
            value={view}
            onChange={setView}
            data={[
              { value: 'card', label: 'Message' },
              { value: 'body', label: 'Body' },
            ]}
          />
        ) : (
          'Sample body'
        )}
        <CopyButton value={sample?.body ?? ''}>
          {({ copied, copy }) => (
            <UnstyledButton fz="xs" c="dimmed" onClick={copy}>
              {copied ? 'Copied' : 'Copy body'}
            </UnstyledButton>
          )}
        </CopyButton>
      </div>
      {error !== null && <FailureBanner error={error} />}
      {sample === undefined && error === null && <Skeleton height={280} />}
      {sample !== undefined &&
        (isChat && view === 'card' && sample.card !== null ? (
          <ChatCard card={sample.card} service={formatNames[format]} />
        ) : (
          <JsonView text={body} label="sample body" />
        ))}
      <Text fz="xs" c="dimmed" mt={6}>
        {webhookText.sampleOfNewest}
      </Text>
    </section>
  )
}

function ChatCard({ card, service }: { card: NonNullable<WebhookSample['card']>; service: string }) {
  const { title, subject, facts, notes } = card
  return (
    <article className={classes.card} aria-label={`Message in ${service}`}>
      <div className={classes.cardTitle}>{title}</div>
      <div className={classes.cardSubject}>{subject}</div>
      <dl className={classes.facts}>
        {facts.map(({ name, value }) => [<dt key={name}>{name}</dt>, <dd key={`${name} value`}>{value}</dd>])}
      </dl>
      {notes !== null && <p className={classes.notes}>{notes}</p>}
    </article>
  )
}
