import { Skeleton, Tabs, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { guardTab } from '../../api/page-reload.ts'
import { setupText } from '../../text/setup.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { ButtonLink } from '../../ui/navigation/button-link.tsx'
import { useFirstBuild } from './first-build.tsx'
import { FirstFiles } from './first-files.tsx'
import classes from './first-upload.module.css'
import { OutsidePage } from './outside-page.tsx'
import type { FirstApplication } from './setup-form.tsx'
import { uploadSnippets } from './upload-snippets.ts'

/** Shows the API key once, and the ways to upload the first build. The build appears as soon as its upload begins. */
export function FirstUpload(application: FirstApplication) {
  const { id, name, apiKey } = application
  const snippets = uploadSnippets(application)
  const firstBuild = useFirstBuild(id)
  // The key cannot be shown again after a reload.
  useEffect(() => guardTab(() => true), [])
  return (
    <OutsidePage
      title={firstBuild === undefined ? setupText.uploadFirst(name) : setupText.hasFirst(name)}
      description={firstBuild === undefined ? setupText.ready : setupText.next}
      isWide
      footer={
        <Link to="/account" search={{ section: 'security' }}>
          {setupText.addPasskey}
        </Link>
      }
    >
      <div className={classes.steps}>
        <Suspense fallback={<Skeleton height={180} aria-busy />}>
          <FirstFiles applicationId={id} applicationName={name} firstBuild={firstBuild} />
        </Suspense>
        <section>
          <Title order={2}>{firstBuild === undefined ? setupText.orUpload : setupText.uploadNext}</Title>
          <Tabs defaultValue="quayside" mt="xs">
            <Tabs.List>
              {snippets.map(({ id: value, label }) => (
                <Tabs.Tab key={value} value={value}>
                  {label}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {snippets.map(({ id: value, label, code, needsSecret }) => (
              <Tabs.Panel key={value} value={value} pt="sm">
                {needsSecret && <div className={classes.hint}>{setupText.secret}</div>}
                <CommandLine code={code} label={`${label} snippet`} />
              </Tabs.Panel>
            ))}
          </Tabs>
        </section>
        <section>
          <Title order={2}>API key</Title>
          <Text className={classes.hint}>{setupText.key(name)}</Text>
          <CommandLine code={apiKey} label="API key" />
        </section>
        <ButtonLink
          to="/applications/$applicationId"
          params={{ applicationId: id }}
          variant="default"
          fullWidth
        >
          Continue to the console
        </ButtonLink>
      </div>
    </OutsidePage>
  )
}
