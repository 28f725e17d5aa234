import { createHash } from 'node:crypto'

const colors = ['#2f6fb3', '#3d7a3d', '#9a5b1e', '#8a3f8f', '#b03a4b', '#2a7d7b', '#5a55b5', '#6b6b2a']

const avatarId = /^([\p{L}\p{N}]{0,2})\.([0-7])$/u

export type Avatar = { initials: string; color: string }

/**
 * Returns the URL of a picture with the initials of a user. The ID in the URL consists of the initials and the number of
 * a color, so nothing is stored, and the URL reveals nothing else about the user.
 */
export function avatarUrl(publicUrl: string, name: string): string {
  const color = createHash('sha256').update(name).digest().readUInt8(0) % colors.length
  return `${publicUrl}/api/v1/public/avatars/${encodeURIComponent(initialsOf(name))}.${color}`
}

/** Returns what the picture with this ID shows, or undefined if there is no such picture. */
export function parseAvatar(id: string): Avatar | undefined {
  const [, initials, number] = avatarId.exec(id) ?? []
  const color = colors[Number(number)]
  return initials === undefined || color === undefined ? undefined : { initials, color }
}

function initialsOf(name: string): string {
  const letters = name
    .normalize('NFC')
    .split(/\s+/)
    .flatMap((word) => /^[\p{L}\p{N}]/u.exec(word)?.[0] ?? [])
  const initials = letters.slice(0, 2).join('').toUpperCase()
  // Some letters have an uppercase form of two letters, such as ß.
  return avatarId.test(`${initials}.0`) ? initials : letters.slice(0, 2).join('')
}

/** Draws the initials, or the outline of a person if there are none. */
export function drawAvatar({ initials, color }: Avatar): string {
  const content =
    initials === ''
      ? '<circle cx="32" cy="24" r="11" fill="#fff"/><path d="M10 60a22 22 0 0 1 44 0" fill="#fff"/>'
      : `<text x="32" y="32" dy=".35em" text-anchor="middle" fill="#fff" font-family="system-ui,sans-serif" font-size="26">${initials}</text>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="128" height="128" viewBox="0 0 64 64"><rect width="64" height="64" fill="${color}"/>${content}</svg>`
}
