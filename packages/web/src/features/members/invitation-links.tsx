import { Text } from '@mantine/core'
import type { CreatedInvitation } from '@quayside/sdk'
import { memberText } from '../../text/members/members.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { DoneDialog } from '../../ui/forms/done-dialog.tsx'
import { IconMail } from '../../ui/icons/icons.ts'
import { Notice } from '../../ui/notice.tsx'

type Props = { invitations: readonly CreatedInvitation[]; onClose: () => void }

/** Shows that invitations were sent, or their links if the server cannot send email. */
export function InvitationLinks({ invitations, onClose }: Props) {
  const [first] = invitations
  const count = invitations.length
  const links = invitations.filter(({ url }) => url !== null)
  return (
    <DoneDialog
      title={count === 1 ? memberText.invitationTo(first?.email ?? '') : memberText.invited(count)}
      onClose={onClose}
    >
      <Notice kind={links.length === 0 ? 'good' : 'warn'} icon={<IconMail size={18} />}>
        {links.length === 0 ? memberText.sent(count) : memberText.linkOnly(count)}
      </Notice>
      {links.map((link) => (
        <div key={link.id}>
          {count > 1 && (
            <Text fz="sm" mb={4}>
              {link.email}
            </Text>
          )}
          <CommandLine code={link.url ?? ''} label={memberText.linkOf(link.email)} />
        </div>
      ))}
    </DoneDialog>
  )
}
