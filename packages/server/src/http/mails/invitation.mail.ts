import { html } from '../../lib/html.ts'
import type { Actor } from '../endpoint/actor.ts'
import { defineMail } from './define-mail.ts'
import { oneLine, renderMail } from './mail-document.ts'

type Invitation = {
  inviter: Pick<Actor, 'via' | 'name'>
  workspace: string
  /** Set if the invitation is to one application only. */
  application: string | null
  role: string
  /** The applications to which the invitation adds a member of the workspace, with the role in each. */
  applications: readonly { name: string; role: string }[]
  /** The names of the teams that a member of the workspace joins. */
  teams: readonly string[]
  validDays: number
  url: string
}

/** Invites a person to the workspace or to an application. */
export const invitationMail = defineMail<Invitation>({
  render({ inviter, role, validDays, url, ...names }) {
    const workspace = oneLine(names.workspace)
    const name = oneLine(names.application ?? workspace)
    const place =
      names.application === null ? `the workspace ${name}` : `the application ${name} in ${workspace}`
    const person = oneLine(inviter.name)
    // Anyone who may invite can choose the name of an API key, which must not look like that of a person.
    const who = inviter.via === 'session' && person !== '' ? person : `The API key “${person}”`
    const sentence = `${who} invited you to ${place} with the role “${role}”.`
    const applications = names.applications.map((each) => ({ ...each, name: oneLine(each.name) }))
    const teams = names.teams.map((team) => ({ name: oneLine(team), role: 'team' }))
    const granted = [...applications, ...teams]
    const list = granted.map((each) => `- ${each.name}: ${each.role}\n`).join('')
    return {
      subject: `Invitation to ${name}`,
      text: `${sentence}\n${list}\nAccept the invitation within ${validDays} days:\n${url}\n\nIf you did not expect it, ignore this email.\n`,
      html: renderMail({
        sender: workspace,
        title: `Join ${name}`,
        paragraphs: [
          html`<strong>${who}</strong> invited you to ${place} with the role <strong>${role}</strong>.`,
          ...(granted.length === 0
            ? []
            : [granted.map((each) => html`<strong>${each.name}</strong> · ${each.role}<br />`)]),
        ],
        button: { label: 'Accept the invitation', url },
        footer: [
          `The invitation expires in ${validDays} days.`,
          'If you did not expect it, ignore this email. You will not be added to anything.',
        ],
      }),
    }
  },
  sample: {
    inviter: { via: 'session', name: 'Ana Ruiz' },
    workspace: 'Harbor Labs',
    application: null,
    role: 'member',
    applications: [
      { name: 'Harbor for iOS', role: 'qa' },
      { name: 'Harbor for Android', role: 'developer' },
    ],
    teams: ['Testers'],
    validDays: 7,
    url: 'https://builds.example.com/invitations/4fGk0mVq2c9xTn7L',
  },
})
