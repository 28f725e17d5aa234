import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { serviceUrl } from '../../api/browser.ts'
import { firstStepsText } from '../../text/first-steps.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { DoneDialog } from '../../ui/forms/done-dialog.tsx'
import { IconCircleCheckFilled } from '../../ui/icons/icons.ts'
import { PhoneCode } from '../../ui/phone/phone-code.tsx'
import { firstStepsQuery } from './first-step.queries.ts'
import classes from './phone-dialog.module.css'

const checkEveryMs = 3_000

/** Shows the QR code of the service, and when a phone has opened it. */
export function PhoneDialog({ onClose }: { onClose: () => void }) {
  const { data } = useQuery({ ...firstStepsQuery, refetchInterval: checkEveryMs })
  const isDone = data?.steps.find(({ name }) => name === 'phone')?.done === true
  return (
    <DoneDialog title="Open Quayside on your phone" onClose={onClose}>
      <Stack align="center" gap="sm">
        <PhoneCode text={serviceUrl} label="QR code with the address of Quayside" size={200}>
          <Text fz="sm" ta="center">
            {firstStepsText.phone}
          </Text>
          <Copyable value={serviceUrl} label="address" />
          <div className={classes.state} role="status" data-done={isDone || undefined}>
            {isDone ? (
              <IconCircleCheckFilled size={16} aria-hidden />
            ) : (
              <span className={classes.pulse} aria-hidden />
            )}
            {isDone ? firstStepsText.connected : firstStepsText.waiting}
          </div>
        </PhoneCode>
      </Stack>
    </DoneDialog>
  )
}
