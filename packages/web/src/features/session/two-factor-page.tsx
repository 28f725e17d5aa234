import { Button, Checkbox, Stack, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { callSignIn } from '../../api/sign-in.ts'
import { signInText } from '../../text/sign-in.ts'
import { useSubmit } from '../../ui/forms/use-submit.ts'
import { FailureBanner } from '../../ui/loading/failure-banner.tsx'
import { useEnterConsole } from './enter-console.ts'
import { OutsidePage } from './outside-page.tsx'
import classes from './two-factor-page.module.css'

const route = getRouteApi('/sign-in/two-factor')

/** Asks for the second factor after the password. */
export function TwoFactorPage() {
  const { next } = route.useSearch()
  const enter = useEnterConsole()
  const [isRecovery, setIsRecovery] = useState(false)
  const formElement = useRef<HTMLFormElement>(null)
  const form = useForm({ initialValues: { code: '', trustDevice: false } })
  const { submit, isRunning, error } = useSubmit(form, async ({ code, trustDevice }) => {
    const path = isRecovery ? '/two-factor/verify-backup-code' : '/two-factor/verify-totp'
    await callSignIn(path, { code: code.replaceAll(/\s/g, ''), trustDevice })
    enter(next)
  })
  function change(): void {
    setIsRecovery(!isRecovery)
    form.reset()
  }
  return (
    <OutsidePage
      title={isRecovery ? 'Enter a recovery code' : 'Enter your code'}
      description={isRecovery ? signInText.recoveryCode : signInText.appCode}
      footer={
        <Link to="/sign-in" search={{ next }}>
          Sign in another way
        </Link>
      }
    >
      <form onSubmit={submit} ref={formElement}>
        <Stack>
          <CodeField
            key={String(isRecovery)}
            form={form}
            isRecovery={isRecovery}
            onComplete={() => formElement.current?.requestSubmit()}
          />
          <Checkbox
            label={signInText.trustDevice}
            {...form.getInputProps('trustDevice', { type: 'checkbox' })}
          />
          {error !== undefined && <FailureBanner error={error} />}
          <Button type="submit" loading={isRunning} fullWidth>
            Sign in
          </Button>
          <Button variant="subtle" color="gray" onClick={change} fullWidth>
            {isRecovery ? 'Use the authenticator app' : 'Use a recovery code'}
          </Button>
        </Stack>
      </form>
    </OutsidePage>
  )
}

type FieldProps = {
  form: UseFormReturnType<{ code: string; trustDevice: boolean }>
  isRecovery: boolean
  /** Called when the field contains a code of the authenticator app. */
  onComplete: () => void
}

function CodeField({ form, isRecovery, onComplete }: FieldProps) {
  return (
    <TextInput
      label={isRecovery ? 'Recovery code' : 'Code'}
      name="code"
      autoComplete={isRecovery ? 'off' : 'one-time-code'}
      inputMode={isRecovery ? 'text' : 'numeric'}
      autoCapitalize="off"
      autoCorrect="off"
      spellCheck={false}
      required
      withAsterisk={false}
      autoFocus
      className={isRecovery ? undefined : classes.code}
      {...form.getInputProps('code')}
      onChange={(event) => {
        const code = event.currentTarget.value
        form.setFieldValue('code', code)
        // The form is submitted after the field has its new value.
        if (!isRecovery && /^\d{6}$/.test(code)) setTimeout(onComplete)
      }}
    />
  )
}
