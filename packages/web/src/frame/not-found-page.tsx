import { IconMapOff } from '@tabler/icons-react'
import { ButtonLink } from '../ui/button-link.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

export function NotFoundPage() {
  return (
    <EmptyState
      icon={<IconMapOff size={22} />}
      title="Page not found"
      action={<ButtonLink to="/">Go to Home</ButtonLink>}
    >
      The page does not exist, has been deleted, or you do not have access to it.
    </EmptyState>
  )
}
