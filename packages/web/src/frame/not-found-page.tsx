import { Group } from '@mantine/core'
import { Suspense } from 'react'
import { OutsidePage } from '../features/session/outside-page.tsx'
import { failureText } from '../text/failures.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { IconMapOff } from '../ui/icons/icons.ts'
import { lazyPart } from '../ui/loading/lazy-part.ts'
import { ButtonLink } from '../ui/navigation/button-link.tsx'
import { useTabTitle } from '../ui/navigation/page-header.tsx'

const title = 'Page not found'

const RequestAccess = lazyPart(
  async () => (await import('../features/members/access-requests/request-access.tsx')).RequestAccess,
)

/** Takes the place of a page whose resource does not exist, inside the frame. */
export function NotFoundPage() {
  useTabTitle(title)
  return (
    <EmptyState
      icon={<IconMapOff size={22} />}
      title={title}
      action={
        <Group justify="center" gap="sm">
          <ButtonLink to="/">Go to Home</ButtonLink>
          <Suspense>
            <RequestAccess />
          </Suspense>
        </Group>
      }
      isPage
    >
      {failureText.notFound}
    </EmptyState>
  )
}

/** The page of an address that belongs to no route. */
export function UnknownAddressPage() {
  return (
    <OutsidePage title={title} description={failureText.unknownAddress}>
      <ButtonLink to="/" fullWidth>
        Go to Home
      </ButtonLink>
    </OutsidePage>
  )
}
