import { OutsidePage } from '../features/session/outside-page.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { IconMapOff } from '../ui/icons/icons.ts'
import { ButtonLink } from '../ui/navigation/button-link.tsx'
import { useTabTitle } from '../ui/navigation/page-header.tsx'

const title = 'Page not found'

/** Takes the place of a page whose resource does not exist, inside the frame. */
export function NotFoundPage() {
  useTabTitle(title)
  return (
    <EmptyState
      icon={<IconMapOff size={22} />}
      title={title}
      action={<ButtonLink to="/">Go to Home</ButtonLink>}
      isPage
    >
      The page does not exist, has been deleted, or you do not have access to it.
    </EmptyState>
  )
}

/** The page of an address that belongs to no route. */
export function UnknownAddressPage() {
  return (
    <OutsidePage title={title} description="There is nothing at this address. Check that it is complete.">
      <ButtonLink to="/" fullWidth>
        Go to Home
      </ButtonLink>
    </OutsidePage>
  )
}
