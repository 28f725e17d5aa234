type WorkspaceRole = 'owner' | 'admin' | 'member'

export type Person = {
  name: string
  email: string
  role: WorkspaceRole
  joinedDaysAgo: number
  address: string
}

const person = (
  name: string,
  mailbox: string,
  role: WorkspaceRole,
  host: number,
  joinedDaysAgo = 181,
): Person => ({
  name,
  email: `${mailbox}@brindle.example`,
  role,
  joinedDaysAgo,
  // RFC 5737 reserves this range for documentation.
  address: `198.51.100.${host}`,
})

export const people = {
  ines: person('Inês Duarte', 'ines.duarte', 'owner', 17),
  kwame: person('Kwame Asante', 'kwame.asante', 'admin', 24),
  yuki: person('Yuki Tanabe', 'yuki.tanabe', 'member', 31),
  priya: person('Priya Raghunathan', 'priya.raghunathan', 'member', 38),
  tomasz: person('Tomasz Wielgosz', 'tomasz.wielgosz', 'member', 45),
  leilani: person('Leilani Kahananui', 'leilani.kahananui', 'member', 52),
  mateo: person('Mateo Quispe', 'mateo.quispe', 'member', 59),
  aoife: person('Aoife Ní Bhriain', 'aoife.nibhriain', 'member', 66, 118),
  samir: person('Samir Haddad', 'samir.haddad', 'member', 73, 96),
  ngocAnh: person('Phạm Ngọc Anh', 'ngocanh.pham', 'member', 80),
  sola: person('Oluwasola Adeyemi', 'sola.adeyemi', 'member', 87),
  freya: person('Freya Lindqvist', 'freya.lindqvist', 'member', 94, 71),
} satisfies Record<string, Person>

export type PersonId = keyof typeof people

export const owner = people.ines

/** Invitations that nobody has accepted. */
export const openInvitations = [
  { email: 'dmitri.sokolov@brindle.example', role: 'member', state: 'open' },
  { email: 'hana.kobayashi@brindle.example', role: 'admin', state: 'open' },
  { email: 'lucas.moreau@contractor.example', role: 'member', state: 'expired' },
  { email: 'press@brindle.example', role: 'member', state: 'revoked' },
] as const

/** The recipients of releases, by distribution group. */
export const testers = {
  fieldTesters: [
    'amara.okafor@trailclub.example',
    'bjorn.halvorsen@trailclub.example',
    'chiara.bellini@fernmail.example',
    'daoud.rahimi@fernmail.example',
    'elif.yilmaz@hikers.example',
    'gonzalo.pereyra@hikers.example',
    'hyejin.seo@fernmail.example',
  ],
  publishers: ['editors@paperlane.example', 'production@paperlane.example', 'j.mbeki@quartobooks.example'],
  playtesters: [people.leilani, people.samir, people.freya, people.sola].map(({ email }) => email),
}
