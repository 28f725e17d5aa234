import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { webhookText } from '../../text/webhooks.ts'
import { CommandLine } from '../../ui/command-line.tsx'

/** Shows a new secret for the only time. Closes only by its button, so that the secret is not lost by accident. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Modal
      opened
      onClose={onClose}
      title="Secret of the webhook"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        <Text>{webhookText.secretOnce}</Text>
        <CommandLine code={secret} label="secret" />
        <Group justify="flex-end">
          <Button onClick={onClose} data-autofocus>
            I have copied it
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
