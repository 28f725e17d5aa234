import { Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { setupText } from '../../text/setup.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { CommandLine } from '../../ui/command-line.tsx'
import { FailureBanner } from '../../ui/failure-banner.tsx'
import { FirstUpload } from './first-upload.tsx'
import { OutsidePage } from './outside-page.tsx'
import { SetupForm, type FirstApplication } from './setup-form.tsx'
import { signInMethodsQuery } from './sign-in.queries.ts'

const route = getRouteApi('/setup')

/** Creates the first owner and the first application with the link that the server prints, then offers the upload. */
export function SetupPage() {
  const { token } = route.useSearch()
  const { data: methods, error } = useQuery({ ...signInMethodsQuery, staleTime: Infinity })
  const [application, setApplication] = useState<FirstApplication>()
  if (application !== undefined) return <FirstUpload {...application} />
  if (error !== null)
    return (
      <OutsidePage title="Set up Quayside">
        <FailureBanner error={error} />
      </OutsidePage>
    )
  if (methods === undefined)
    return (
      <OutsidePage title="Set up Quayside" isWide>
        <Stack aria-busy>
          {Array.from({ length: 5 }, (_, index) => (
            <Skeleton key={index} height={56} />
          ))}
        </Stack>
      </OutsidePage>
    )
  if (!methods.setup_open)
    return (
      <OutsidePage title="Quayside is already set up" description={setupText.closed}>
        <ButtonLink to="/sign-in" fullWidth>
          Sign in
        </ButtonLink>
      </OutsidePage>
    )
  if (token === undefined)
    return (
      <OutsidePage title="Open the set-up link" description={setupText.noToken}>
        <CommandLine code="npm start" />
      </OutsidePage>
    )
  return (
    <OutsidePage title="Set up Quayside" description={setupText.intro} isWide>
      <SetupForm token={token} onDone={setApplication} />
    </OutsidePage>
  )
}
