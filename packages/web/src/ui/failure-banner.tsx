import { Alert, Button, Group, Text } from '@mantine/core'
import { IconAlertTriangle, IconPlugConnectedX } from '@tabler/icons-react'
import { failureOf } from '../api/errors.ts'
import { Copyable } from './copyable.tsx'

/** Shows the server's own sentence about a failure, the request ID, and a button to try again. */
export function FailureBanner({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { message, requestId, isOffline } = failureOf(error)
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      icon={isOffline ? <IconPlugConnectedX size={18} /> : <IconAlertTriangle size={18} />}
      title={message}
    >
      <Group gap="sm" justify="space-between">
        {requestId === '' ? (
          <span />
        ) : (
          <Text fz="xs" c="dimmed" component="div">
            Request{' '}
            <Copyable value={requestId} label="request ID" mono>
              {requestId}
            </Copyable>
          </Text>
        )}
        {onRetry !== undefined && (
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Group>
    </Alert>
  )
}
