import { Button } from '@mantine/core'
import { useSession } from '../../api/session.ts'
import { sampleText } from '../../text/first-steps.ts'
import { IconFlask } from '../../ui/icons/icons.ts'
import { Notice } from '../../ui/notice.tsx'
import { useSample } from './use-sample.ts'

/** Marks the pages of the sample application, which one click deletes. */
export function SampleBanner() {
  const { can } = useSession()
  const { isRunning, remove } = useSample()
  return (
    <Notice
      kind="info"
      icon={<IconFlask size={18} />}
      mb="md"
      action={
        can('applications:write') && (
          <Button size="xs" variant="default" loading={isRunning} onClick={() => void remove()}>
            Delete sample
          </Button>
        )
      }
    >
      {sampleText.banner}
    </Notice>
  )
}
