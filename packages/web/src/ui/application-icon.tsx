import classes from './application-icon.module.css'
import { hueOf } from './status/label-dot.tsx'

type Props = { name: string; url: string | null; size?: number; round?: boolean }

/** Shows the icon of an application or the photo of a person, or the initials if there is none. */
export function ApplicationIcon({ name, url, size = 20, round = false }: Props) {
  const radius = round ? '50%' : `${Math.round(size * 0.24)}px`
  if (url !== null)
    return (
      <img
        className={classes.icon}
        src={url}
        alt=""
        width={size}
        height={size}
        loading="lazy"
        style={{ borderRadius: radius }}
      />
    )
  return (
    <span
      className={classes.initials}
      aria-hidden
      style={{
        width: size,
        height: size,
        borderRadius: radius,
        fontSize: Math.round(size * 0.44),
        background: `hsl(${hueOf(name)} 45% 34%)`,
      }}
    >
      {initialsOf(name, round ? 2 : 1)}
    </span>
  )
}

function initialsOf(name: string, count: number): string {
  const words = name.trim().split(/\s+/)
  return words
    .slice(0, count)
    .map((word) => String.fromCodePoint(word.codePointAt(0) ?? 63).toUpperCase())
    .join('')
}
