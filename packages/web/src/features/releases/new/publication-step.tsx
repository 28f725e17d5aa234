import { Radio, Text } from '@mantine/core'
import { releaseText } from '../../../text/releases/release.ts'
import { Section } from '../../../ui/section.tsx'
import { ScheduleFields } from '../schedule-fields.tsx'
import classes from './new-release-form.module.css'
import type { NewRelease, Publication } from './use-new-release.ts'

type Props = {
  values: NewRelease
  set: (change: Partial<NewRelease>) => void
  error: string | undefined
}

const choices: readonly Publication[] = ['now', 'scheduled', 'draft']

/** Chooses when a new release is published. */
export function PublicationStep({ values: { publication, scheduledFor }, set, error }: Props) {
  return (
    <Section title="4. Publication">
      <Radio.Group
        aria-label="Publication"
        value={publication}
        onChange={(value) => set({ publication: choices.find((each) => each === value) ?? 'now' })}
      >
        <div className={classes.choices}>
          {choices.map((choice) => (
            <Radio.Card key={choice} value={choice} className={classes.choice}>
              <span className={classes.choiceHead}>
                <Radio.Indicator size="xs" />
                {releaseText.publication[choice].title}
              </span>
              <Text fz="xs" c="dimmed" mt={4} component="span" display="block">
                {releaseText.publication[choice].help}
              </Text>
            </Radio.Card>
          ))}
        </div>
      </Radio.Group>
      {publication === 'scheduled' && (
        <div className={classes.schedule}>
          <ScheduleFields
            value={scheduledFor}
            onChange={(next) => set({ scheduledFor: next })}
            error={error}
          />
        </div>
      )}
    </Section>
  )
}
