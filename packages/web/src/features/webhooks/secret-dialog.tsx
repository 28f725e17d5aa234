import { Text } from '@mantine/core'
import { webhookText } from '../../text/webhooks.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { DoneDialog } from '../../ui/forms/done-dialog.tsx'

/** Shows a new secret for the only time. Closes only by its button, so that the secret is not lost by accident. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <DoneDialog
      title="Webhook secret"
      label="I have copied it"
      keepsOpen="until the button is pressed"
      onClose={onClose}
    >
      <Text>{webhookText.secretOnce}</Text>
      <CommandLine code={secret} label="secret" />
    </DoneDialog>
  )
}
