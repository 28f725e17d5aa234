import { Button, Text } from '@mantine/core'
import { sampleText } from '../../text/first-steps.ts'
import { IconFlask } from '../../ui/icons/icons.ts'
import classes from './sample-button.module.css'
import { useSample } from './use-sample.ts'

/** Creates the sample application. */
export function SampleButton() {
  const { isRunning, create } = useSample()
  return (
    <div className={classes.sample}>
      <Text fz="sm" c="dimmed">
        {sampleText.explore}
      </Text>
      <Button
        variant="default"
        leftSection={<IconFlask size={16} />}
        loading={isRunning}
        onClick={() => void create()}
      >
        Create a sample
      </Button>
    </div>
  )
}
