import { Type, type Static } from 'typebox'
import { Nullable, PathId, Timestamp } from '../../http/fields.ts'
import { Problem } from '../../lib/problem.ts'

const person = {
  id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  profile_photo_url: Nullable(Type.String()),
}

export const User = Type.Object(person, { title: 'User' })

export const WorkspaceRole = Type.Enum(['owner', 'admin', 'member'])

export const ApplicationRole = Type.Enum(['admin', 'developer', 'qa', 'readonly'])

export const WorkspaceMember = Type.Object(
  { ...person, role: WorkspaceRole, added_at: Timestamp },
  { title: 'WorkspaceMember' },
)

export const ApplicationMember = Type.Object(
  {
    ...person,
    role: Type.Enum(['admin', 'developer', 'qa', 'readonly', 'owner'], {
      description: 'The role here; for those who are here by their role in the workspace, that one.',
    }),
    resolved_role: Type.Enum(['admin', 'developer', 'qa', 'readonly'], {
      description: 'What counts: owners and admins of the workspace are admins of each application.',
    }),
  },
  { title: 'Member' },
)

export type WorkspaceMemberRow = Static<typeof WorkspaceMember>
export type ApplicationMemberRow = Static<typeof ApplicationMember>

export const UserId = PathId('Id of the person.')

export const alreadyMember = (): Problem =>
  new Problem('conflict', 'member.exists', 'This person is a member already.')

export const lastOwner = (): Problem =>
  new Problem('conflict', 'member.last_owner', 'The last owner cannot leave: make somebody else owner first.')

export const inherited = (): Problem =>
  new Problem(
    'conflict',
    'member.inherited',
    'This person is here by the role in the workspace: change it below /workspace/members.',
  )
