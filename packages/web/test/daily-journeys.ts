import type { QuaysideClient } from '@quayside/sdk'
import type { Locator, Page } from 'playwright-core'
import type { Hand } from './hands.ts'

/** Names that the journeys use. The builds are those of the sample application. */
const names = { application: 'Sample', group: 'Testers', message: 'The map stays blank.' }
const released = '1.0.0'
const nightly = '1.1.0-nightly.1'
const commit = '5f0c2a9'

export type Journey = {
  /** What a person wants to do, beginning on the home page. */
  name: string
  /** Does it with one kind of input device, and waits for what shows that it is done. */
  walk: (person: Person) => Promise<void>
}

type Person = Hand & {
  page: Page
  /** Returns the control with this role and name. */
  find: (role: Role, name: string | RegExp) => Locator
}

type Role = 'button' | 'checkbox' | 'combobox' | 'link' | 'menuitem' | 'option' | 'textbox'

/** Creates the sample application anew, a group of testers, and open feedback on one of the builds. */
export async function prepareJourneys(client: QuaysideClient): Promise<void> {
  await client.deleteSampleApplication()
  const { data: groups } = await client.listDistributionGroups({ search: names.group })
  for (const { id, name } of groups)
    if (name === names.group) await client.deleteDistributionGroup({ distribution_group_id: id })
  const { data: application } = await client.createSampleApplication()
  const { data: group } = await client.createDistributionGroup({ body: { name: names.group } })
  const emails = ['ana@example.com', 'ben@example.com']
  await client.createDistributionGroupMembers({ distribution_group_id: group.id, body: { emails } })
  const { data: builds } = await client.listBuilds({ application_id: application.id })
  const { data: link } = await client.createBuildShareLink({
    application_id: application.id,
    build_id: builds.find(({ version }) => version === released)?.id ?? '',
    body: { feedback_enabled: true },
  })
  const form = new FormData()
  form.append('text', names.message)
  const response = await fetch(`${link.url}/feedback`, {
    method: 'POST',
    body: form,
    headers: { accept: 'text/html', 'sec-fetch-site': 'same-origin' },
  })
  if (!response.ok) throw new Error(`The feedback was rejected with ${response.status}.`)
}

const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Main' })

/** Opens the list of builds from any page. */
const openBuilds = ({ page, press }: Person) =>
  press(sidebar(page).getByRole('link', { name: names.application }))

const selectVersion = ({ press, find }: Person, version: string, builds: number) =>
  press(find('checkbox', `Select ${builds} builds of ${version}`))

export const journeys: readonly Journey[] = [
  {
    name: 'Download the newest stable build for Android',
    async walk(person) {
      const { page, press, find } = person
      await openBuilds(person)
      await press(find('button', 'Stream'))
      await press(find('checkbox', 'stable'))
      await page.keyboard.press('Escape')
      await press(find('button', `Actions for 3 builds of ${released}`))
      const download = page.waitForEvent('download')
      await press(find('menuitem', 'Download for Android'))
      await (await download).cancel()
    },
  },
  {
    name: 'Send somebody a link to a build',
    async walk(person) {
      const { page, press, find } = person
      await openBuilds(person)
      await press(find('link', new RegExp(`^${released.replaceAll('.', '[.]')}`)))
      await press(find('button', 'Share'))
      await press(find('menuitem', 'New share link'))
      await press(find('button', 'Create link'))
      await press(find('button', 'Copy share link'))
      await page.getByText('Copied').waitFor()
    },
  },
  {
    name: 'Release a version to testers',
    async walk(person) {
      const { page, press, find } = person
      await openBuilds(person)
      await selectVersion(person, nightly, 2)
      await press(find('link', 'New release'))
      await press(find('checkbox', names.group))
      await press(find('button', 'Publish release'))
      await page.getByText('Release published; 2 people notified.').waitFor()
    },
  },
  {
    name: 'Promote a nightly version to stable',
    async walk(person) {
      const { page, press, find } = person
      await openBuilds(person)
      await selectVersion(person, nightly, 2)
      await press(find('button', 'Move'))
      await press(find('menuitem', 'stable'))
      await page.getByText('2 builds moved to stable.').waitFor()
    },
  },
  {
    name: 'Find the builds of a commit',
    async walk(person) {
      const { page, press, fill, find } = person
      await openBuilds(person)
      await fill(find('textbox', 'Search builds'), commit)
      await page.waitForURL(/search=/)
      await press(find('link', new RegExp(`^${released.replaceAll('.', '[.]')}`)))
      await page.getByRole('heading', { level: 1, name: `${names.application} ${released}` }).waitFor()
    },
  },
  {
    name: 'Compare a version with the one before it',
    async walk(person) {
      const { page, press, find } = person
      await openBuilds(person)
      await press(find('link', new RegExp(`^${nightly.replaceAll('.', '[.]')}`)))
      await press(page.getByRole('tab', { name: 'Compare' }))
      await page.getByText(released).first().waitFor()
    },
  },
  {
    name: 'Invite two people to an application',
    async walk(person) {
      const { page, press, fill, find } = person
      await press(find('link', 'Settings'))
      await press(find('link', 'Members'))
      await press(find('button', 'Invite people'))
      await fill(find('combobox', 'Email addresses'), 'maya@example.com, omar@example.com')
      await press(find('combobox', 'Applications'))
      await press(find('option', names.application))
      await press(find('button', 'Invite'))
      await page.getByText(/2 (people|invitations)/).waitFor()
    },
  },
  {
    name: 'Keep a filtered list in the sidebar',
    async walk(person) {
      const { page, press, fill, find } = person
      await openBuilds(person)
      await press(find('button', 'Platform'))
      await press(find('checkbox', 'Android'))
      await page.keyboard.press('Escape')
      await press(find('button', 'Save view'))
      await fill(find('textbox', 'Name'), 'Android builds')
      await press(page.getByRole('dialog').getByRole('button', { name: 'Save view' }))
      await sidebar(page).getByRole('link', { name: 'Android builds' }).waitFor()
    },
  },
  {
    name: 'Close feedback that was dealt with',
    async walk(person) {
      const { page, press, find } = person
      await openBuilds(person)
      await press(find('link', 'Feedback'))
      const message = page.getByRole('listitem').filter({ hasText: names.message })
      await press(message.getByRole('button', { name: 'Close' }))
      await message.getByRole('button', { name: 'Reopen' }).waitFor()
    },
  },
  {
    name: 'Create an API key for CI',
    async walk(person) {
      const { page, press, fill, find } = person
      await press(find('link', 'Settings'))
      await press(find('link', 'API keys'))
      await press(find('button', 'New API key'))
      await fill(find('textbox', 'Name'), 'CI')
      await press(find('button', 'Create key'))
      await press(find('button', 'Copy API key'))
      await page.getByText('Copied').waitFor()
    },
  },
]

/** Returns a person with this hand who counts the controls that they use. */
export function personWith(page: Page, { fill, press }: Hand): Person & { steps: () => number } {
  let steps = 0
  return {
    page,
    find: (role, name) => page.getByRole(role, { name, exact: true }),
    fill(field, text) {
      steps++
      return fill(field, text)
    },
    press(control) {
      steps++
      return press(control)
    },
    steps: () => steps,
  }
}
