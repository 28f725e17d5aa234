import { Tabs } from '@mantine/core'
import { CommandLine } from '../../ui/command-line.tsx'
import type { Snippet } from './ci-snippets.ts'

/** Shows code for several tools, one at a time. */
export function SnippetTabs({ snippets }: { snippets: readonly Snippet[] }) {
  return (
    <Tabs defaultValue={snippets[0]?.id ?? null}>
      <Tabs.List mb="xs">
        {snippets.map(({ id, label }) => (
          <Tabs.Tab key={id} value={id}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippets.map(({ id, label, code }) => (
        <Tabs.Panel key={id} value={id}>
          <CommandLine code={code} label={`${label} snippet`} />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
