import { useEffect } from 'react'
import { WhomToAsk } from '../features/members/whom-to-ask.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { IconLock } from '../ui/icons/icons.ts'
import { ButtonLink } from '../ui/navigation/button-link.tsx'

const title = 'You do not have access to this page'

/** Takes the place of a page that the role of the person does not include, inside the frame. */
export function NoAccessPage() {
  useEffect(() => {
    document.title = `${title} – Quayside`
  }, [])
  return (
    <EmptyState
      icon={<IconLock size={22} />}
      title={title}
      action={<ButtonLink to="/">Go to Home</ButtonLink>}
      isPage
    >
      <WhomToAsk forWhat="for access" />
    </EmptyState>
  )
}
