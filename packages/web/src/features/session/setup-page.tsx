import { Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { sessionQuery } from '../../api/session.ts'
import { setupText } from '../../text/setup.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { FailureBanner } from '../../ui/loading/failure-banner.tsx'
import { ButtonLink } from '../../ui/navigation/button-link.tsx'
import { applicationsQuery } from '../applications/application.queries.ts'
import { FirstUpload } from './first-upload.tsx'
import { OutsidePage } from './outside-page.tsx'
import { SetupForm, type FirstApplication } from './setup-form.tsx'
import { setupLinkQuery, signInMethodsQuery } from './sign-in.queries.ts'

const route = getRouteApi('/setup')

/** Creates the first owner and the first application with the link that the server prints, then offers the upload. */
export function SetupPage() {
  const { token } = route.useSearch()
  const { data: methods, error: methodsError } = useQuery({ ...signInMethodsQuery, staleTime: Infinity })
  const { data: link, error: linkError } = useQuery({
    ...setupLinkQuery(token ?? ''),
    enabled: token !== undefined,
  })
  const [application, setApplication] = useState<FirstApplication>()
  if (application !== undefined) return <FirstUpload {...application} />
  const error = methodsError ?? linkError
  if (error !== null)
    return (
      <OutsidePage title="Set up Quayside">
        <FailureBanner error={error} />
      </OutsidePage>
    )
  if (methods === undefined || (token !== undefined && link === undefined))
    return (
      <OutsidePage title="Set up Quayside" isWide>
        <Stack aria-busy>
          {Array.from({ length: 5 }, (_, index) => (
            <Skeleton key={index} height={56} />
          ))}
        </Stack>
      </OutsidePage>
    )
  if (!methods.setup_open) return <AlreadySetUp />
  if (token === undefined || link?.is_valid === false)
    return (
      <OutsidePage
        title={token === undefined ? 'Open the set-up link' : 'This set-up link is not valid'}
        description={setupText.noToken}
      >
        <CommandLine code="npm start" />
      </OutsidePage>
    )
  return (
    <OutsidePage title="Set up Quayside" description={setupText.intro} isWide>
      <SetupForm token={token} onDone={setApplication} />
    </OutsidePage>
  )
}

/** Leads to the sign-in page. The owner, who is still signed in after the page is reloaded, learns where to create another key. */
function AlreadySetUp() {
  // Fails if nobody is signed in.
  const { data: session, isPending } = useQuery(sessionQuery)
  const isOwner = session?.role === 'owner'
  const { data: [application] = [] } = useQuery({ ...applicationsQuery, enabled: isOwner })
  if (isPending) return <OutsidePage title={setupText.closedTitle} />
  if (!isOwner)
    return (
      <OutsidePage title={setupText.closedTitle} description={setupText.closed}>
        <ButtonLink to="/sign-in" fullWidth>
          Sign in
        </ButtonLink>
      </OutsidePage>
    )
  const keys = { search: { section: 'api-keys' }, variant: 'default', fullWidth: true } as const
  return (
    <OutsidePage title={setupText.closedTitle} description={setupText.done}>
      <Stack gap="xs">
        <ButtonLink to="/" fullWidth>
          Continue to the console
        </ButtonLink>
        {application === undefined ? (
          <ButtonLink to="/settings" {...keys}>
            Open API keys
          </ButtonLink>
        ) : (
          <ButtonLink
            to="/applications/$applicationId/settings"
            params={{ applicationId: application.id }}
            {...keys}
          >
            Open API keys of {application.name}
          </ButtonLink>
        )}
      </Stack>
    </OutsidePage>
  )
}
