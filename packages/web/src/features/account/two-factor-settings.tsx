import { Button, Group } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { sessionQuery, useSession } from '../../api/session.ts'
import { callSignIn } from '../../api/sign-in.ts'
import { accountText } from '../../text/account.ts'
import { SettingsSection } from '../../ui/forms/settings-section.tsx'
import { IconShieldCheck } from '../../ui/icons/icons.ts'
import { showDone } from '../../ui/toast.tsx'
import { PasswordDialog } from './password-dialog.tsx'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'
import classes from './security.module.css'
import { TwoFactorDialog, type Enrollment } from './two-factor-dialog.tsx'

type Step =
  | { name: 'enable' | 'disable' | 'new-codes' }
  | { name: 'enroll'; enrollment: Enrollment }
  | { name: 'codes'; codes: readonly string[] }

/** Turns the second factor on and off. */
export function TwoFactorSettings() {
  const { two_factor_enabled: isEnabled } = useSession()
  const [step, setStep] = useState<Step>()
  return (
    <SettingsSection
      title="Two-factor authentication"
      description={accountText.twoFactor}
      action={
        isEnabled ? undefined : (
          <Button variant="default" onClick={() => setStep({ name: 'enable' })}>
            Turn on
          </Button>
        )
      }
    >
      {isEnabled && (
        <Group gap="sm">
          <span className={classes.on}>
            <IconShieldCheck size={18} aria-hidden /> On
          </span>
          <Button variant="default" onClick={() => setStep({ name: 'new-codes' })}>
            New recovery codes
          </Button>
          <Button variant="subtle" color="red" onClick={() => setStep({ name: 'disable' })}>
            Turn off
          </Button>
        </Group>
      )}
      {step !== undefined && <StepDialog step={step} onStep={setStep} />}
    </SettingsSection>
  )
}

type DialogProps = { step: Step; onStep: (step: Step | undefined) => void }

function StepDialog({ step, onStep }: DialogProps) {
  const queryClient = useQueryClient()
  const close = () => onStep(undefined)
  const refresh = () => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
  async function enable(password: string): Promise<void> {
    const { totpURI: uri, backupCodes: codes } = await callSignIn<{ totpURI: string; backupCodes: string[] }>(
      '/two-factor/enable',
      { password },
    )
    onStep({ name: 'enroll', enrollment: { uri, codes } })
  }
  async function createCodes(password: string): Promise<void> {
    const { backupCodes: codes } = await callSignIn<{ backupCodes: string[] }>(
      '/two-factor/generate-backup-codes',
      { password },
    )
    onStep({ name: 'codes', codes })
  }
  async function disable(password: string): Promise<void> {
    await callSignIn('/two-factor/disable', { password })
    await refresh()
    close()
    showDone(accountText.twoFactorOff)
  }
  return (
    <>
      {step.name === 'enable' && (
        <PasswordDialog title="Turn on two-factor authentication" onConfirm={enable} onClose={close} />
      )}
      {step.name === 'enroll' && (
        <TwoFactorDialog
          {...step.enrollment}
          onClose={close}
          onDone={async () => {
            onStep({ name: 'codes', codes: step.enrollment.codes })
            await refresh()
          }}
        />
      )}
      {step.name === 'codes' && <RecoveryCodesDialog codes={step.codes} onClose={close} />}
      {step.name === 'new-codes' && (
        <PasswordDialog title="New recovery codes" onConfirm={createCodes} onClose={close}>
          {accountText.newCodes}
        </PasswordDialog>
      )}
      {step.name === 'disable' && (
        <PasswordDialog
          title="Turn off two-factor authentication"
          confirmLabel="Turn off"
          onConfirm={disable}
          onClose={close}
        >
          {accountText.disableTwoFactor}
        </PasswordDialog>
      )}
    </>
  )
}
