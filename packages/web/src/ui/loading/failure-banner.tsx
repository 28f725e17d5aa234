import { Button } from '@mantine/core'
import { failureOf } from '../../api/errors.ts'
import { reloadPage } from '../../api/page-reload.ts'
import { Copyable } from '../copyable.tsx'
import { Notice } from '../notice.tsx'

/** Shows the server's own sentence about a failure, the request ID, and a button to try again or to reload the page. */
export function FailureBanner({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { message, requestId, isOffline, needsReload } = failureOf(error)
  return (
    <Notice
      kind={isOffline ? 'offline' : 'bad'}
      title={message}
      action={
        (needsReload || onRetry !== undefined) && (
          <Button size="xs" variant="default" onClick={needsReload ? reloadPage : onRetry}>
            {needsReload ? 'Reload' : 'Try again'}
          </Button>
        )
      }
    >
      {requestId !== '' && (
        <>
          Request{' '}
          <Copyable value={requestId} label="request ID" mono>
            {requestId}
          </Copyable>
        </>
      )}
    </Notice>
  )
}
