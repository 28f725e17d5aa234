import { Input, SegmentedControl, TextInput, UnstyledButton } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { groupText } from '../../text/distribution/distribution-groups.ts'
import classes from './group-icon-field.module.css'
import { GroupIcon, iconNames } from './group-icon.tsx'

export type GroupValues = {
  name: string
  description: string
  type: 'external' | 'internal'
  digest: 'none' | 'daily' | 'weekly'
  icon_type: 'none' | 'emoji' | 'fa'
  icon_emoji_code: string
  icon_set_value: string
  feedback_enabled: boolean
}

const emojis = [
  '🚀',
  '🧪',
  '🐞',
  '⭐',
  '❤️',
  '🎮',
  '📱',
  '🌍',
  '🎓',
  '🏢',
  '🔥',
  '🌱',
  '🦊',
  '🐧',
  '🎨',
  '📷',
  '🎧',
  '🛟',
  '⚓',
  '☕',
]

/** Chooses no icon, an emoji or a drawing. */
export function GroupIconField({ form }: { form: UseFormReturnType<GroupValues> }) {
  const { icon_type: type, icon_emoji_code: emoji, icon_set_value: name } = form.values
  return (
    <div>
      <Input.Label component="div" display="block" mb={4}>
        Icon
      </Input.Label>
      <SegmentedControl
        size="xs"
        aria-label="Kind of icon"
        data={[
          { value: 'none', label: 'None' },
          { value: 'emoji', label: 'Emoji' },
          { value: 'fa', label: 'Icon' },
        ]}
        {...form.getInputProps('icon_type')}
      />
      {type === 'emoji' && (
        <>
          <Choices
            label="Emoji"
            values={emojis}
            selected={emoji}
            onSelect={(value) => form.setFieldValue('icon_emoji_code', value)}
            draw={(value) => <GroupIcon size={36} group={iconOf('emoji', value)} />}
          />
          <TextInput
            aria-label="Emoji"
            description={groupText.emoji}
            inputWrapperOrder={['input', 'description', 'error']}
            maw="12rem"
            maxLength={16}
            {...form.getInputProps('icon_emoji_code')}
          />
        </>
      )}
      {type === 'fa' && (
        <>
          <Choices
            label="Icons"
            values={iconNames}
            selected={name}
            onSelect={(value) => form.setFieldValue('icon_set_value', value)}
            draw={(value) => <GroupIcon size={36} group={iconOf('fa', value)} />}
          />
          <Input.Error>{form.errors['icon_set_value']}</Input.Error>
        </>
      )}
    </div>
  )
}

const iconOf = (type: 'emoji' | 'fa', value: string) => ({
  icon_type: type,
  icon_emoji_code: type === 'emoji' ? value : null,
  icon_set_value: type === 'fa' ? value : null,
})

type ChoicesProps = {
  label: string
  values: readonly string[]
  selected: string
  onSelect: (value: string) => void
  draw: (value: string) => React.ReactNode
}

function Choices({ label, values, selected, onSelect, draw }: ChoicesProps) {
  return (
    <div className={classes.choices} role="group" aria-label={label}>
      {values.map((value) => (
        <UnstyledButton
          key={value}
          className={classes.choice}
          aria-label={value.replaceAll('-', ' ')}
          aria-pressed={value === selected}
          onClick={() => onSelect(value)}
        >
          {draw(value)}
        </UnstyledButton>
      ))}
    </div>
  )
}
