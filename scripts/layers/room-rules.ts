import type { Finding } from './check-layers.ts'
import { isTest } from './import-rules.ts'
import type { Source } from './source.ts'

const server = 'packages/server/src/'
const lib = `${server}lib/`

/**
 * Returns the files and folders of the server's `lib/` that fewer than two rooms use, directly or through other parts of
 * `lib/`. A room is an entry of `src/` or a feature.
 */
export function roomFindings(sources: readonly Source[]): Finding[] {
  const code = sources.filter(({ path }) => path.startsWith(server) && !isTest(path))
  const users = usersOf(code)
  const parts = new Set(
    code
      .map(({ path }) => path)
      .filter((path) => path.startsWith(lib))
      .map(placeOf),
  )
  return [...users].flatMap(([part, direct]) => {
    if (!parts.has(part)) return []
    const rooms = new Set(roomsOf(direct, users))
    const [room, ...others] = rooms
    if (room === undefined || others.length > 0) return []
    return [
      { path: part, line: 1, message: `lib/ is for what two rooms use: move it to ${room}/, its only user` },
    ]
  })
}

/** Returns the rooms and parts of `lib/` that use each part of `lib/`. */
function usersOf(sources: readonly Source[]): Map<string, Set<string>> {
  const users = new Map<string, Set<string>>()
  for (const { path, imports } of sources) {
    const user = placeOf(path)
    for (const { target } of imports) {
      if (target?.startsWith(lib) !== true) continue
      const part = placeOf(target)
      if (part !== user) users.set(part, (users.get(part) ?? new Set()).add(user))
    }
  }
  return users
}

/** Returns the part of `lib/` to which a file belongs, or its room. */
function placeOf(path: string): string {
  const depth = path.startsWith(lib) || path.startsWith(`${server}features/`) ? 2 : 1
  const place = path.slice(server.length).split('/').slice(0, depth).join('/')
  return path.startsWith(lib) ? `${server}${place}` : place
}

function* roomsOf(
  direct: Iterable<string>,
  users: ReadonlyMap<string, ReadonlySet<string>>,
  seen = new Set<string>(),
): Generator<string> {
  for (const user of direct) {
    if (seen.has(user)) continue
    seen.add(user)
    if (user.startsWith(lib)) yield* roomsOf(users.get(user) ?? [], users, seen)
    else yield user
  }
}
