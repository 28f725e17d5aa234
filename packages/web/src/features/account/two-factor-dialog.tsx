import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { callSignIn } from '../../api/sign-in.ts'
import { accountText } from '../../text/account.ts'
import { CopyButton } from '../../ui/copy/copy-button.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { QrCode } from '../../ui/phone/qr-code.tsx'
import classes from './security.module.css'

export type Enrollment = { uri: string; codes: readonly string[] }

type Props = Enrollment & { onDone: () => Promise<void>; onClose: () => void }

/** Shows the QR code for the authenticator app and verifies the first code of the app. */
export function TwoFactorDialog({ uri, onDone, onClose }: Props) {
  const form = useForm({ initialValues: { code: '' } })
  const secret = new URL(uri).searchParams.get('secret') ?? ''
  return (
    <FormDialog
      title="Scan the code with your authenticator app"
      submitLabel="Turn on"
      form={form}
      onSubmit={async ({ code }) => {
        await callSignIn('/two-factor/verify-totp', { code: code.replaceAll(/\s/g, '') })
        await onDone()
      }}
      onClose={onClose}
    >
      <div className={classes.enroll}>
        <QrCode text={uri} size={168} label="QR code for the authenticator app" />
        <div className={classes.secret}>
          <a href={uri}>{accountText.openApp}</a>
          <div>{accountText.manualSecret}</div>
          <code>{secret.match(/.{1,4}/g)?.join(' ')}</code>
          <CopyButton value={secret}>
            {({ copied, copy }) => (
              <Button variant="default" size="xs" onClick={copy}>
                {copied ? 'Copied' : 'Copy the secret'}
              </Button>
            )}
          </CopyButton>
        </div>
      </div>
      <TextInput
        label="Authentication code"
        description={accountText.firstCode}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        withAsterisk={false}
        data-autofocus
        {...form.getInputProps('code')}
      />
    </FormDialog>
  )
}
