import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useState, type KeyboardEvent } from 'react'
import { fieldText } from '../../text/fields.ts'

/** A field for a password that can be shown. Says when Caps Lock is on. */
export function PasswordField({ description, ...props }: PasswordInputProps) {
  const [isCapsLockOn, setIsCapsLockOn] = useState(false)
  const readCapsLock = (event: KeyboardEvent) => setIsCapsLockOn(event.getModifierState('CapsLock'))
  return (
    <PasswordInput
      {...props}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      description={isCapsLockOn ? fieldText.capsLock : description}
      descriptionProps={{ 'aria-live': 'polite', ...(isCapsLockOn ? { c: 'var(--q-warn)' } : {}) }}
      onKeyDown={readCapsLock}
      onKeyUp={readCapsLock}
      onBlur={(event) => {
        setIsCapsLockOn(false)
        props.onBlur?.(event)
      }}
      visibilityToggleButtonProps={{ 'aria-label': 'Show password', tabIndex: 0 }}
    />
  )
}
