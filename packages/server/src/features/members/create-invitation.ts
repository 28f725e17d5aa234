import { Type, type Static } from 'typebox'
import { requireApplication, selectApplication } from '../../access/application.db.ts'
import { requireUnrevokedCaller, roleChanged } from '../../access/caller.db.ts'
import { requireWorkspace } from '../../access/workspace.db.ts'
import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { holdsEveryScope } from '../../http/endpoint/actor.ts'
import { endpoint, type Call } from '../../http/endpoint/endpoint.ts'
import { Nullable } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import { applicationRoles, workspaceRoles } from '../../http/endpoint/roles.ts'
import { invalid } from '../../http/endpoint/validation.ts'
import { invitationMail } from '../../http/mails/invitation.mail.ts'
import { problem } from '../../lib/problem.ts'
import { canReadSecrets, enqueueMail } from '../mails/mail.ts'
import { insertInvitation, isMember, revokeExpiredInvitations } from './invitation.db.ts'
import {
  CreatedInvitation,
  Email,
  generateToken,
  grantedAccess,
  hashToken,
  InvitationApplication,
  InvitationRole,
} from './invitation.ts'
import {
  alreadyMember,
  applicationRoleProblems,
  requireRoleAuthority,
  workspaceRoleProblems,
} from './member.ts'
import { listRolesOfTeams } from './teams/team-application.db.ts'
import { listTeamsById } from './teams/team.db.ts'
import { requireTeamAuthority } from './teams/team.ts'

const validDays = 7
const maxApplications = 100
const maxTeams = 20

const alreadyInvited = problem(
  'conflict',
  'invitation.exists',
  'This email address already has an open invitation. Revoke it first.',
)

export const createInvitation = endpoint({
  method: 'POST',
  path: '/workspace/invitations',
  scope: { workspace: 'members:write' },
  summary: 'Invite a user by email',
  description: `Invites a user to the workspace (roles: ${workspaceRoles.join(', ')}), if needed with access to some of its applications, or to one application (roles: ${applicationRoles.join(', ')}). Only owners, and keys with every scope, can invite owners; admins can invite admins. The invitation expires after ${validDays} days, or when your key expires. Its token is sent by email. Without an SMTP server, a caller with every workspace scope can read it in the response.`,
  body: Type.Object({
    email: Email,
    role: InvitationRole,
    application_id: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 100,
          description: 'ID of an application. If set, the invitation is to this application only.',
        }),
      ),
    ),
    applications: Type.Optional(
      Type.Array(InvitationApplication, {
        maxItems: maxApplications,
        description:
          'Applications to which a new member of the workspace is added, with the role in each. Requires the role `member` and no `application_id`.',
      }),
    ),
    teams: Type.Optional(
      Type.Array(Type.String({ maxLength: 100, description: 'ID of a team.' }), {
        maxItems: maxTeams,
        description:
          'Teams that a new member of the workspace joins. Requires the role `member` and no `application_id`. Only a caller who can grant the application admin role can name a team that has it; a team that gets it later is left out when the invitation is accepted.',
      }),
    ),
  }),
  status: 201,
  refuses: [alreadyInvited, alreadyMember, roleChanged, ...workspaceRoleProblems, ...applicationRoleProblems],
  returns: one(CreatedInvitation),
  async handle({ body, ...call }) {
    const { db, actor, config, mailer } = call
    const { workspaceId } = actor
    const email = body.email.toLowerCase()
    const applicationId = body.application_id ?? null
    const application = applicationId === null ? null : await requireApplication(db, actor, applicationId)
    requireGrantableRole(actor, application === null ? 'workspace' : 'application', body.role)
    const applications = await requireApplications(call, body)
    const teams = await requireTeams(call, body)
    const { name: workspace } = await requireWorkspace(db, workspaceId)
    const invitee = { workspaceId, applicationId, email }
    const applicationIds = [...(applicationId === null ? [] : [applicationId]), ...applications.keys()]
    const token = generateToken()
    const url = `${config.publicUrl}/invitations/${token}`
    const invitation = await conflictsAs({ invitations_open: alreadyInvited }, () =>
      inTransaction(db, async (tx) => {
        await requireUnrevokedCaller(tx, actor)
        if (await isMember(tx, { workspaceId, applicationIds, email })) throw alreadyMember()
        await revokeExpiredInvitations(tx, invitee)
        const row = await insertInvitation(tx, {
          ...invitee,
          role: body.role,
          applications: body.applications ?? [],
          teamIds: teams.map(({ id }) => id),
          canGrantAdmin: holdsEveryScope(actor, 'application'),
          tokenSha256: hashToken(token),
          isTokenPrivate: mailer !== undefined,
          invitedBy: actor.id ?? actor.name,
          validDays,
          expiresBy: actor.grantsUntil,
        })
        await enqueueMail(tx, call, {
          workspaceId,
          to: email,
          secrets: [token],
          ...invitationMail.render({
            inviter: actor,
            workspace,
            application: application?.name ?? null,
            role: body.role,
            applications: (body.applications ?? []).map(({ application_id: id, role }) => ({
              name: applications.get(id) ?? '',
              role,
            })),
            teams: teams.map(({ name }) => name),
            validDays,
            url,
          }),
        })
        await recordEvent(tx, call, {
          action: 'invitation.created',
          applicationId,
          subject: { type: 'invitation', id: row.id },
          after: { email, role: row.role, ...grantedAccess(row, row.teams) },
        })
        return row
      }),
    )
    // The caller had the authority to grant this role, but the outbox also contains links that grant others.
    const link = canReadSecrets(call, { isOwn: true }) ? { token, url } : { token: null, url: null }
    return { message: 'Invitation created.', data: { ...invitation, ...link } }
  },
})

/** Throws if an invitation of this kind cannot grant the role, or if the caller may not grant it. */
function requireGrantableRole(actor: Call['actor'], kind: 'workspace' | 'application', role: string): void {
  const [level, roles]: [string, readonly string[]] =
    kind === 'workspace' ? ['the workspace', workspaceRoles] : ['an application', applicationRoles]
  if (!roles.includes(role))
    throw invalid({
      role: [`must be one of the following in an invitation to ${level}: ${roles.join(', ')}.`],
    })
  requireRoleAuthority(actor, kind, role)
}

type Body = {
  role: string
  application_id?: string | null
  applications?: Static<typeof InvitationApplication>[]
  teams?: string[]
}

/** Returns the names of the applications to which the invitation adds a member, by ID. */
async function requireApplications(
  { db, actor }: Pick<Call, 'db' | 'actor'>,
  { role, application_id: applicationId, applications = [] }: Body,
): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  if (applications.length === 0) return names
  if (role !== 'member' || (applicationId ?? null) !== null)
    throw invalid({ applications: ['require the role member and no application_id.'] })
  for (const [index, { application_id: id, role: applicationRole }] of applications.entries()) {
    requireRoleAuthority(actor, 'application', applicationRole)
    const field = `applications.${index}.application_id`
    if (names.has(id)) throw invalid({ [field]: ['must not appear twice.'] })
    const application = await selectApplication(db, actor, id).executeTakeFirst()
    if (application === undefined) throw invalid({ [field]: ['does not exist.'] })
    names.set(id, application.name)
  }
  return names
}

/** Returns the teams that the invitation names. Throws unless the caller may add members to them. */
async function requireTeams(
  { db, actor }: Pick<Call, 'db' | 'actor'>,
  { role, application_id: applicationId, teams: ids = [] }: Body,
) {
  if (ids.length === 0) return []
  if (role !== 'member' || (applicationId ?? null) !== null)
    throw invalid({ teams: ['require the role member and no application_id.'] })
  const teams = await listTeamsById(db, actor.workspaceId, ids)
  for (const [index, id] of ids.entries()) {
    if (ids.indexOf(id) < index) throw invalid({ [`teams.${index}`]: ['must not appear twice.'] })
    if (!teams.some((team) => team.id === id)) throw invalid({ [`teams.${index}`]: ['does not exist.'] })
  }
  requireTeamAuthority(actor, await listRolesOfTeams(db, ids))
  return teams
}
