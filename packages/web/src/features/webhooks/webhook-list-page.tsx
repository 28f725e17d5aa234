import { Button, Skeleton, Stack } from '@mantine/core'
import { IconPlus, IconShieldCheck, IconWebhook } from '@tabler/icons-react'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { serviceUrl } from '../../api/browser.ts'
import { useSession } from '../../api/session.ts'
import { usePageActions } from '../../frame/page-actions.ts'
import { webhookText } from '../../text/webhooks.ts'
import { plural } from '../../ui/bytes.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FailureBanner } from '../../ui/failure-banner.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { applicationQuery } from '../applications/application.queries.ts'
import { SignatureChecker } from './signature-checker.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'
import classes from './webhook-list-page.module.css'
import { WebhookRow } from './webhook-row.tsx'
import { webhooksQuery } from './webhook.queries.ts'

const route = getRouteApi('/console/applications/$applicationId/webhooks')

type Opened = 'create' | 'checker' | undefined

/** The webhooks of an application with their health. */
export function WebhookListPage() {
  const { applicationId } = route.useParams()
  const { can } = useSession()
  const { data: application } = useSuspenseQuery(applicationQuery(applicationId))
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
        documentTitle={`${application.name} · Webhooks`}
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
      {webhooks === undefined && error === null && (
        <Stack gap={0} aria-busy>
          {Array.from({ length: 3 }, (_, index) => (
            <Skeleton key={index} height={72} mb={8} radius="lg" />
          ))}
        </Stack>
      )}
      {webhooks?.length === 0 && (
        <EmptyState
          icon={<IconWebhook size={22} />}
          title="No webhooks yet"
          action={
            canCreate ? (
              <>
                {createButton}
                <CommandLine
                  code={`quayside webhooks create https://example.com/hook --event build.created --application ${applicationId} --server ${serviceUrl}`}
                />
              </>
            ) : undefined
          }
        >
          {webhookText.noWebhooks} <a href={`${serviceUrl}/docs/webhooks`}>Read how webhooks work</a>.
        </EmptyState>
      )}
      {webhooks !== undefined && webhooks.length > 0 && (
        <ul className={classes.list}>
          {webhooks.map((webhook) => (
            <WebhookRow key={webhook.id} webhook={webhook} />
          ))}
        </ul>
      )}
      {opened === 'create' && (
        <WebhookDialog applicationId={applicationId} onClose={() => setOpened(undefined)} />
      )}
      {opened === 'checker' && <SignatureChecker onClose={() => setOpened(undefined)} />}
    </>
  )
}
