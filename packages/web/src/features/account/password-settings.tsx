import { Button, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { accountKey } from '../../api/query-keys.ts'
import { useSession } from '../../api/session.ts'
import { callSignIn } from '../../api/sign-in.ts'
import { accountText } from '../../text/account.ts'
import { passwordHint } from '../../text/sign-in.ts'
import { PasswordField } from '../../ui/forms/password-field.tsx'
import { SettingsSection } from '../../ui/forms/settings-section.tsx'
import { useSubmit } from '../../ui/forms/use-submit.ts'
import { FailureBanner } from '../../ui/loading/failure-banner.tsx'
import { showDone } from '../../ui/toast.tsx'
import classes from './security.module.css'

/** Changes the password. */
export function PasswordSettings() {
  const { user } = useSession()
  const queryClient = useQueryClient()
  const form = useForm({ initialValues: { currentPassword: '', newPassword: '' } })
  const { submit, isRunning, error } = useSubmit(form, async (values) => {
    await callSignIn('/change-password', values)
    form.reset()
    showDone(accountText.passwordChanged)
    await queryClient.invalidateQueries({ queryKey: accountKey('sessions') })
  })
  return (
    <SettingsSection title="Password" description={accountText.password}>
      <form onSubmit={submit} method="post" className={classes.form}>
        <Stack>
          {/* Password managers save the new password for this account. */}
          <input type="email" name="email" autoComplete="username" value={user.email} readOnly hidden />
          <PasswordField
            label="Current password"
            name="current-password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            {...form.getInputProps('currentPassword')}
          />
          <PasswordField
            label="New password"
            name="new-password"
            description={passwordHint}
            autoComplete="new-password"
            required
            withAsterisk={false}
            {...form.getInputProps('newPassword')}
          />
          {error !== undefined && <FailureBanner error={error} />}
          <div>
            <Button type="submit" variant="default" loading={isRunning}>
              Change password
            </Button>
          </div>
        </Stack>
      </form>
    </SettingsSection>
  )
}
