import { IconCheck } from '@tabler/icons-react'
import { PlatformIcon } from '../../ui/platform-icon.tsx'
import { platformChoices } from '../applications/platform-choices.ts'
import classes from './platform-picker.module.css'

type Props = { values: readonly string[]; onChange: (values: string[]) => void; error?: string | undefined }

/** Selects the platforms of the first application. */
export function PlatformPicker({ values, onChange, error }: Props) {
  const toggle = (identifier: string) =>
    onChange(
      values.includes(identifier) ? values.filter((each) => each !== identifier) : [...values, identifier],
    )
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>Platforms</legend>
      <div className={classes.hint}>{error ?? 'You can add others later.'}</div>
      <div className={classes.choices}>
        {platformChoices.map((platform) => (
          <label key={platform.identifier} className={classes.choice}>
            <input
              type="checkbox"
              checked={values.includes(platform.identifier)}
              onChange={() => toggle(platform.identifier)}
            />
            <span className={classes.icon} aria-hidden>
              <PlatformIcon platform={platform} />
            </span>
            {platform.name}
            {values.includes(platform.identifier) && (
              <IconCheck size={16} className={classes.check} aria-hidden />
            )}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
