import { Divider, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { hasPasskeys } from '../../api/passkeys.ts'
import { signInErrorText, signInText } from '../../text/sign-in.ts'
import { Notice } from '../../ui/notice.tsx'
import { EmailLinkForm } from './email-link-form.tsx'
import { EmailLinkSignIn } from './email-link-sign-in.tsx'
import { OutsidePage } from './outside-page.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { PasswordForm } from './password-form.tsx'
import { signInMethodsQuery } from './sign-in.queries.ts'
import { SsoButton } from './sso-button.tsx'

const route = getRouteApi('/sign-in')

/** Offers the ways to sign in that the service has. */
export function SignInPage() {
  const { next, link, error } = route.useSearch()
  const { data: methods } = useQuery(signInMethodsQuery)
  if (link !== undefined) return <EmailLinkSignIn token={link} />
  const notice = signInErrorText(error, methods?.sso?.name)
  const hasSso = methods !== undefined && methods.sso !== null
  return (
    <OutsidePage
      title="Sign in"
      description={next === undefined || notice !== undefined ? undefined : signInText.continue}
      footer={methods?.setup_open === true ? signInText.notSetUp : signInText.noAccount}
    >
      <Stack>
        {notice !== undefined && <Notice {...notice} />}
        <PasswordForm next={next} forgot={<Link to="/forgot-password">{signInText.forgotPassword}</Link>} />
        {(hasSso || hasPasskeys || methods?.email_link === true) && <Divider label="or" />}
        <Stack gap="xs">
          {hasSso && <SsoButton name={methods.sso?.name ?? ''} next={next} />}
          {hasPasskeys && <PasskeyButton next={next} />}
          {methods?.email_link === true && <EmailLinkForm />}
        </Stack>
      </Stack>
    </OutsidePage>
  )
}
