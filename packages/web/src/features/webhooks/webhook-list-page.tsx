import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState, type ReactNode } from 'react'
import { serviceUrl } from '../../api/browser.ts'
import { useSession } from '../../api/session.ts'
import { usePageActions } from '../../frame/page-actions.ts'
import { webhookText } from '../../text/webhooks.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { plural } from '../../ui/format/bytes.ts'
import { IconPlus, IconShieldCheck, IconWebhook } from '../../ui/icons/icons.ts'
import { FailureBanner } from '../../ui/loading/failure-banner.tsx'
import { PageHeader } from '../../ui/navigation/page-header.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { SignatureChecker } from './signature-checker.tsx'
import { webhookColumns } from './webhook-columns.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'
import { webhooksQuery } from './webhook.queries.ts'

const route = getRouteApi('/console/applications/$applicationId/webhooks')

type Opened = 'create' | 'checker' | undefined

/** The webhooks of an application with their health. */
export function WebhookListPage() {
  const { applicationId } = route.useParams()
  const { can } = useSession()
  const { data: webhooks, error, refetch } = useQuery(webhooksQuery(applicationId))
  const [opened, setOpened] = useState<Opened>()
  const canCreate = can('webhooks:create', applicationId)
  usePageActions(
    useMemo(
      () => [
        ...(canCreate
          ? [{ id: 'new-webhook', label: 'New webhook', onClick: () => setOpened('create') }]
          : []),
        { id: 'check-signature', label: 'Check a webhook signature', onClick: () => setOpened('checker') },
      ],
      [canCreate],
    ),
  )
  const failing =
    webhooks?.filter((webhook) => webhook.is_active && webhook.failing_since !== null).length ?? 0
  const createButton = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setOpened('create')}>
      New webhook
    </Button>
  )
  return (
    <>
      <PageHeader
        title="Webhooks"
        facts={
          webhooks === undefined
            ? '\u00A0'
            : `${plural(webhooks.length, 'webhook')}${failing === 0 ? '' : ` · ${failing} failing`}`
        }
        actions={
          <>
            <Button
              variant="default"
              leftSection={<IconShieldCheck size={16} />}
              onClick={() => setOpened('checker')}
            >
              Check a signature
            </Button>
            {canCreate && webhooks?.length !== 0 && createButton}
          </>
        }
      />
      {error !== null && <FailureBanner error={error} onRetry={() => void refetch()} />}
      {webhooks?.length === 0 && (
        <NoWebhooks applicationId={applicationId} createButton={canCreate ? createButton : undefined} />
      )}
      {error === null && webhooks?.length !== 0 && (
        <DataTable label="Webhooks" columns={webhookColumns} rows={webhooks} keyOf={({ id }) => id} />
      )}
      {opened === 'create' && (
        <WebhookDialog applicationId={applicationId} onClose={() => setOpened(undefined)} />
      )}
      {opened === 'checker' && <SignatureChecker onClose={() => setOpened(undefined)} />}
    </>
  )
}

type NoWebhooksProps = {
  applicationId: string
  /** Undefined if the person may not create webhooks. */
  createButton: ReactNode
}

function NoWebhooks({ applicationId, createButton }: NoWebhooksProps) {
  return (
    <EmptyState
      icon={<IconWebhook size={22} />}
      title="No webhooks yet"
      action={
        createButton === undefined ? undefined : (
          <>
            {createButton}
            <CommandLine
              code={`quayside webhooks create https://example.com/hook --event build.created --application ${applicationId} --server ${serviceUrl}`}
            />
          </>
        )
      }
    >
      {webhookText.noWebhooks} <a href={`${serviceUrl}/docs/webhooks`}>Read how webhooks work</a>.
    </EmptyState>
  )
}
