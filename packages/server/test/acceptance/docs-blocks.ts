/**
 * A block of commands on a page. Blocks in `<!-- setup … -->` are hidden from readers and prepare or check the other
 * commands. `reason` is the text of a `<!-- not run: … -->` comment before the block.
 */
type Block = { commands: string; reason: string | undefined }

/** Returns the shell blocks and the setup comments of a page, in order. */
export function blocksIn(page: string): Block[] {
  const pattern =
    /<!-- setup\n(?<setup>.*?)-->|(?:<!-- not run: (?<reason>[^\n]+) -->\n)?^(?<indent> *)```sh\n(?<shown>.*?)\n\k<indent>```/gms
  return [...page.matchAll(pattern)].map(({ groups = {} }) => ({
    commands: (groups['setup'] ?? groups['shown'] ?? '').replaceAll(
      new RegExp(`^${groups['indent'] ?? ''}`, 'gm'),
      '',
    ),
    reason: groups['reason'],
  }))
}
