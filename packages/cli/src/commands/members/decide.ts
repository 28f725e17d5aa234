import { allItems } from '@quayside/sdk'
import { Option } from 'commander'
import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import { applicationRoles, type ApplicationRole } from '../../application-roles.ts'
import type { CommandContext, Runtime } from '../../command-context.ts'
import { Failure, withNotFoundMessage } from '../../failure.ts'
import { requireApplicationId } from '../../require-application-id.ts'

export function addMembersApprove(parent: Command, runtime: Runtime): void {
  addCommand<{ role: ApplicationRole }>(parent, runtime, {
    usage: 'approve <request>',
    summary: 'approve an access request',
    description:
      'Approve an access request, by its ID or the email address of the person, and add the person to the application.',
    result: 'approveAccessRequest',
    example: 'quayside members approve ada@example.com --role qa --application "My App"',
    options: (command) =>
      command.addOption(
        new Option('--role <role>', 'role of the person').choices(applicationRoles).default('readonly'),
      ),
    async run(context, [selected = ''], { role }) {
      const request = await requireRequest(context, selected)
      const { data } = await withNotFoundMessage(
        context.client().approveAccessRequest({ ...request, body: { role } }, { signal: context.signal }),
        requestNotFound(selected),
      )
      context.output.result(data, () => `Request approved. ${data.email} has the role ${data.role}.`)
    },
  })
}

export function addMembersDecline(parent: Command, runtime: Runtime): void {
  addCommand(parent, runtime, {
    usage: 'decline <request>',
    summary: 'decline an access request',
    description:
      'Decline an access request, by its ID or the email address of the person. The person is not notified.',
    result: { id: false, declined: false },
    example: 'quayside members decline ada@example.com --application "My App"',
    async run(context, [selected = '']) {
      const request = await requireRequest(context, selected)
      const { message } = await withNotFoundMessage(
        context.client().declineAccessRequest(request, { signal: context.signal }),
        requestNotFound(selected),
      )
      context.output.result({ id: request.access_request_id, declined: true }, () => message)
    },
  })
}

const requestNotFound = (selected: string): string =>
  `Access request ${selected} was not found. Run \`quayside members requests\` to see the open requests.`

/** Returns the IDs of the open request with this ID, or of the person with this email address. */
async function requireRequest(context: CommandContext, selected: string) {
  const { client, signal } = context
  const application_id = await requireApplicationId(context)
  if (!selected.includes('@')) return { application_id, access_request_id: selected }
  const requests = await allItems((page) =>
    client().listAccessRequests({ application_id, page, per_page: 100 }, { signal }),
  )
  const found = requests.find(({ user }) => user.email.toLowerCase() === selected.toLowerCase())
  if (found) return { application_id, access_request_id: found.id }
  throw new Failure('failed', requestNotFound(selected))
}
