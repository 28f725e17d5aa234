/**
 * A block of commands on a page. Blocks in `<!-- setup … -->` are hidden from readers and prepare or check the other
 * commands. `reason` is the text of a `<!-- not run: … -->` comment before the block. A block of any language after a comment
 * `<!-- saved as <name> -->` is a file that the commands after it use.
 */
export type Block = { commands: string; reason: string | undefined }

/** Returns the shell blocks and the setup comments of a page, in order. */
export function blocksIn(page: string): Block[] {
  const pattern =
    /<!-- setup\n(?<setup>.*?)-->|(?:<!-- not run: (?<reason>[^\n]+) -->\n|<!-- while it runs\n(?<parallel>.*?)-->\n)?^(?<indent> *)```sh\n(?<shown>.*?)\n\k<indent>```|<!-- saved as (?<name>[\w.-]+) -->\n^```\w+\n(?<content>.*?)\n```/gms
  return [...page.matchAll(pattern)].map(({ groups = {} }) => {
    const { setup, shown = '', indent = '', parallel, reason, name, content } = groups
    if (name !== undefined)
      return { commands: `cat > ${name} <<'END_OF_FILE'\n${content}\nEND_OF_FILE`, reason: undefined }
    const commands = setup ?? shown.replaceAll(new RegExp(`^${indent}`, 'gm'), '')
    return { commands: parallel === undefined ? commands : runInBackground(commands, parallel), reason }
  })
}

/**
 * Returns commands that start `background`, run `parallel` at the same time, and then stop `background`. In `parallel`, `wait_for` repeats
 * a command until it succeeds, and output.log contains the output of `background`.
 */
const runInBackground = (background: string, parallel: string): string => `
wait_for() {
  until eval "$*" > /dev/null 2>&1; do
    kill -0 $BACKGROUND
    sleep 0.1
  done
}
# With job control, the background commands run in their own process group, which is stopped as a whole.
set -m
{
${background}
} > output.log 2>&1 &
BACKGROUND=$!
set +m
trap 'cat output.log >&2; kill -- -$BACKGROUND' EXIT
${parallel}
trap - EXIT
kill -- -$BACKGROUND
wait $BACKGROUND || true
`
