import { Button, Group, Skeleton, Tabs, Text } from '@mantine/core'
import type { SingleWebhookRequest, Webhook } from '@quayside/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { failureOf } from '../../../api/errors.ts'
import { eventTitle } from '../../../text/webhook-events.ts'
import { stateNames, webhookText } from '../../../text/webhooks.ts'
import { CopyButton } from '../../../ui/copy/copy-button.tsx'
import { Copyable } from '../../../ui/copyable.tsx'
import { Fact, FactList } from '../../../ui/fact-list.tsx'
import { absoluteTime } from '../../../ui/format/time.ts'
import { Hint } from '../../../ui/hint.tsx'
import { IconCheck, IconRefresh, IconShieldCheck, IconTerminal2 } from '../../../ui/icons/icons.ts'
import { FailureBanner } from '../../../ui/loading/failure-banner.tsx'
import { BackLink } from '../../../ui/navigation/back-link.tsx'
import { useIsNarrow } from '../../../ui/use-is-narrow.ts'
import { SignatureChecker } from '../signature-checker.tsx'
import { webhookRequestQuery } from '../webhook.queries.ts'
import { AttemptTimeline } from './attempt-timeline.tsx'
import { curlCommand } from './curl-command.ts'
import { StateIcon } from './delivery-columns.tsx'
import classes from './delivery-detail.module.css'
import { subjectOf } from './delivery.ts'
import { MessageView } from './message-view.tsx'
import { useRedeliver } from './use-redeliver.ts'

const route = getRouteApi('/console/applications/$applicationId/webhooks/$webhookId')

type Props = { webhook: Webhook; requestId: string | undefined; canWrite: boolean }

/** What was sent, what the receiver responded, and each attempt. */
export function DeliveryDetail({ webhook, requestId, canWrite }: Props) {
  const { application_id: applicationId, id: webhookId } = webhook
  const isOwnPage = useIsNarrow('62em')
  const { data, error, refetch } = useQuery({
    ...webhookRequestQuery(applicationId, webhookId, requestId ?? ''),
    enabled: requestId !== undefined,
    placeholderData: keepPreviousData,
  })
  const isGone = error !== null && failureOf(error).status === 404
  if (requestId === undefined || (isGone && !isOwnPage))
    return (
      <div className={classes.hint}>
        <Text c="dimmed">{isGone ? webhookText.noDelivery : webhookText.selectDelivery}</Text>
      </div>
    )
  return (
    <section className={classes.pane} aria-label="Request">
      {isOwnPage && (
        <BackLink
          to="/applications/$applicationId/webhooks/$webhookId"
          params={{ applicationId, webhookId }}
          search={(previous) => ({ ...previous, request: undefined })}
        >
          All requests
        </BackLink>
      )}
      {isGone && <Text c="dimmed">{webhookText.noDelivery}</Text>}
      {error !== null && !isGone && <FailureBanner error={error} onRetry={() => void refetch()} />}
      {data === undefined
        ? error === null && <Skeleton height={420} radius="lg" />
        : error === null && <Loaded webhook={webhook} request={data} canWrite={canWrite} />}
    </section>
  )
}

type LoadedProps = { webhook: Webhook; request: SingleWebhookRequest; canWrite: boolean }

function Loaded({ webhook, request, canWrite }: LoadedProps) {
  const [isChecking, setIsChecking] = useState(false)
  return (
    <>
      <DeliveryHeader
        webhook={webhook}
        request={request}
        canWrite={canWrite}
        onCheck={() => setIsChecking(true)}
      />
      <DeliveryFacts webhook={webhook} request={request} />
      <AttemptTimeline request={request} />
      <DeliveryMessages request={request} />
      {isChecking && (
        <SignatureChecker
          onClose={() => setIsChecking(false)}
          initialHeaders={signedHeaders(request)}
          initialBody={request.request_body}
        />
      )}
    </>
  )
}

type HeaderProps = LoadedProps & { onCheck: () => void }

function DeliveryHeader({ webhook, request, canWrite, onCheck }: HeaderProps) {
  return (
    <header className={classes.head}>
      <StateIcon state={request.state} size={20} />
      <div className={classes.title}>
        <h2>{subjectOf(request) ?? eventTitle(request.event)}</h2>
        <span className={classes.soft}>
          {stateNames[request.state]} · {eventTitle(request.event)} · {absoluteTime(request.created_at)}
        </span>
      </div>
      <DeliveryActions webhook={webhook} request={request} canWrite={canWrite} onCheck={onCheck} />
    </header>
  )
}

function DeliveryActions({ webhook, request, canWrite, onCheck }: HeaderProps) {
  return (
    <Group gap="xs">
      {webhook.secret_configured && hasBeenSent(request) && (
        <Button size="xs" variant="default" leftSection={<IconShieldCheck size={14} />} onClick={onCheck}>
          Check signature
        </Button>
      )}
      <CopyCurlButton webhook={webhook} request={request} />
      <RedeliverButton webhook={webhook} request={request} canWrite={canWrite} />
    </Group>
  )
}

type RequestProps = Pick<LoadedProps, 'webhook' | 'request'>

function CopyCurlButton({ webhook, request }: RequestProps) {
  return (
    <CopyButton value={curlCommand(request)}>
      {({ copied, copy }) => (
        <Hint label={webhookText.curl} multiline w={260} disabled={!webhook.secret_configured}>
          <Button
            size="xs"
            variant="default"
            leftSection={copied ? <IconCheck size={14} /> : <IconTerminal2 size={14} />}
            onClick={copy}
          >
            {copied ? 'Copied' : 'Copy as curl'}
          </Button>
        </Hint>
      )}
    </CopyButton>
  )
}

function RedeliverButton({ webhook, request, canWrite }: LoadedProps) {
  const navigate = route.useNavigate()
  const redeliver = useRedeliver(webhook)
  if (!canWrite || request.state === 'waiting') return null
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconRefresh size={14} />}
      loading={redeliver.isPending}
      onClick={() =>
        redeliver.mutate([request], {
          onSuccess: ([redelivery]) =>
            void navigate({
              search: (previous) => ({ ...previous, request: redelivery?.id, state: undefined }),
            }),
        })
      }
    >
      Redeliver
    </Button>
  )
}

function DeliveryFacts({ webhook, request }: RequestProps) {
  return (
    <FactList isDense>
      <Fact name="Event ID">
        <Copyable value={request.request_payload.id} label="event ID" mono />
      </Fact>
      {request.redelivery_of !== null && (
        <>
          <Fact name="Redelivery of">
            <Link
              to="."
              search={(previous) => ({ ...previous, request: request.redelivery_of ?? undefined })}
            >
              the earlier request
            </Link>
          </Fact>
        </>
      )}
      {request.url !== webhook.url && (
        <>
          <Fact name="Sent to">
            <Copyable value={request.url} label="URL" mono />
          </Fact>
        </>
      )}
    </FactList>
  )
}

function DeliveryMessages({ request }: Pick<LoadedProps, 'request'>) {
  const [tab, setTab] = useState<string | null>('response')
  return (
    <Tabs value={tab} onChange={setTab}>
      <Tabs.List>
        <Tabs.Tab value="response">Response</Tabs.Tab>
        <Tabs.Tab value="request">Request</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="response" pt="sm">
        <MessageView
          label="response"
          startLine={request.response_code === null ? undefined : `HTTP ${request.response_code}`}
          headers={request.response_headers ?? {}}
          body={request.response_payload ?? ''}
          missing={responseMissing(request)}
        />
      </Tabs.Panel>
      <Tabs.Panel value="request" pt="sm">
        <MessageView
          label="request"
          startLine={`POST ${request.url}`}
          headers={request.request_headers}
          body={request.request_body}
          missing={hasBeenSent(request) ? undefined : webhookText.notSent}
        />
      </Tabs.Panel>
    </Tabs>
  )
}

const hasBeenSent = ({ request_headers: headers }: SingleWebhookRequest): boolean =>
  Object.keys(headers).length > 0

function responseMissing({ response_code: code, error, state }: SingleWebhookRequest): string | undefined {
  if (code !== null) return undefined
  return error ?? (state === 'waiting' ? webhookText.notSent : webhookText.noResponse)
}

/** The headers that are signed. Signatures are not recorded, so the person adds the one that the receiver got. */
const signedHeaders = ({ request_headers: headers }: SingleWebhookRequest): string =>
  [
    ...['webhook-id', 'webhook-timestamp'].map((name) => `${name}: ${headers[name] ?? ''}`),
    'webhook-signature: ',
  ].join('\n')
