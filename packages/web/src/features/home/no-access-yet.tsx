import { useSession } from '../../api/session.ts'
import { applicationText } from '../../text/applications.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { IconApps } from '../../ui/icons/icons.ts'
import { PageHeader } from '../../ui/navigation/page-header.tsx'
import { WhomToAsk } from '../members/whom-to-ask.tsx'

/** Takes the place of Home for a member without applications. */
export function NoAccessYet() {
  const { workspace } = useSession()
  return (
    <>
      <PageHeader title={workspace.name} documentTitle="Home" />
      <EmptyState icon={<IconApps size={22} />} title="No applications yet">
        <WhomToAsk forWhat="to add you to an application" /> {applicationText.appears}
      </EmptyState>
    </>
  )
}
