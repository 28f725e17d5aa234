import classes from './label-dot.module.css'

const hues = [212, 150, 38, 268, 340, 182, 20, 96]

/** Returns a stable hue for a name, so that it has the same color everywhere. */
export function hueOf(name: string): number {
  let hash = 0
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0
  return hues[hash % hues.length] ?? 212
}

/** Shows a label as text with a dot in its color. */
export function LabelDot({ name, color }: { name: string; color: string }) {
  return (
    <span className={classes.label}>
      <svg width="8" height="8" aria-hidden>
        <circle cx="4" cy="4" r="4" fill={color} />
      </svg>
      <span className={classes.text}>{name}</span>
    </span>
  )
}
