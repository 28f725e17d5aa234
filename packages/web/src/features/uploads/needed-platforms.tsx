import { Button, Select } from '@mantine/core'
import type { SingleApplication } from '@quayside/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { neededPlatformText } from '../../text/builds/needed-platforms.ts'
import { platformName } from '../../text/builds/platforms.ts'
import { uploadText } from '../../text/builds/upload.ts'
import { plural } from '../../ui/format/bytes.ts'
import { Notice } from '../../ui/notice.tsx'
import { showDone, showFailure } from '../../ui/toast.tsx'
import type { Upload } from '../../upload/upload.ts'
import { applicationQuery } from '../applications/application.queries.ts'
import { reloadPlatforms } from '../applications/platform.queries.ts'
import { acceptedTypes } from './accepted-types.ts'
import classes from './needed-platforms.module.css'
import { uploadQueue } from './upload-queue.ts'

/** Asks for the platforms of uploads, once for each application. */
export function NeededPlatforms({ uploads }: { uploads: readonly Upload[] }) {
  const needing = uploads.filter(({ phase }) => phase === 'needs-platform')
  const groups = Map.groupBy(needing, ({ applicationId }) => applicationId)
  return [...groups].map(([applicationId, group], index) => (
    <OfApplication key={applicationId} applicationId={applicationId} uploads={group} isFirst={index === 0} />
  ))
}

type Props = { applicationId: string; uploads: readonly Upload[]; isFirst: boolean }

function OfApplication({ applicationId, ...props }: Props) {
  const { data: application } = useQuery(applicationQuery(applicationId))
  return application !== undefined && <PlatformNotice application={application} {...props} />
}

type NoticeProps = Omit<Props, 'applicationId'> & { application: SingleApplication }

function PlatformNotice({ application, uploads, isFirst }: NoticeProps) {
  const { attached, choices, added, isAdding, choose, apply } = usePlatformChoices(application, uploads)
  const { name } = application
  const count = choices.reduce((sum, choice) => sum + choice.uploads.length, 0)
  const files = filesText(uploads)
  return (
    <div className={classes.needed} role="group" aria-label={uploadText.needsPlatform(files)}>
      <Notice kind="info" title={uploadText.needsPlatform(files)}>
        {choices.some(({ usable }) => usable.length === 0) || choices.length === 0
          ? neededPlatformText.noneAccepts(name, acceptedTypes(attached))
          : neededPlatformText.severalAccept}
        {count < uploads.length && ` ${neededPlatformText.askForPlatform}`}
        {choices.length > 0 && (
          <div className={classes.choices} data-single={choices.length === 1 || undefined}>
            {choices.map((choice) => (
              <PlatformChoice
                key={choice.suggested}
                choice={choice}
                application={name}
                isOnly={choices.length === 1}
                onChange={(platform) => choose(choice.suggested, platform)}
              />
            ))}
            <Button
              size="xs"
              variant={isFirst ? 'filled' : 'default'}
              loading={isAdding}
              onClick={() => void apply()}
            >
              {neededPlatformText.uploadAs(
                added.map(platformName),
                choices.map(({ platform }) => platformName(platform)),
                count,
              )}
            </Button>
          </div>
        )}
      </Notice>
    </div>
  )
}

/** Returns the platforms that are chosen for the uploads, and a function that applies them. */
function usePlatformChoices(application: SingleApplication, uploads: readonly Upload[]) {
  const { id: applicationId, name } = application
  const canAdd = useSession().can('application:write', applicationId)
  const queryClient = useQueryClient()
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({})
  const [isAdding, setIsAdding] = useState(false)
  const attached = identifiersOf(application)
  const choices = choicesOf(uploads, attached, canAdd).map((choice) => ({
    ...choice,
    platform: chosen[choice.suggested] ?? choice.suggested,
  }))
  const added = [...new Set(choices.map(({ platform }) => platform))].filter(
    (platform) => !attached.includes(platform),
  )

  async function apply(): Promise<void> {
    setIsAdding(true)
    try {
      if (added.length > 0) {
        const { data: current } = await api.listPlatforms({ application_id: applicationId })
        const platforms = [...current.map(({ identifier }) => identifier), ...added]
        await api.replacePlatforms({ application_id: applicationId, body: { platforms } })
        showDone(neededPlatformText.platformsAdded(added.map(platformName), name))
        await reloadPlatforms(queryClient, applicationId)
      }
      for (const { platform, uploads: chosenUploads } of choices)
        for (const { id } of chosenUploads) uploadQueue.setFields(id, { platform })
    } catch (error) {
      showFailure(error)
    } finally {
      setIsAdding(false)
    }
  }

  const choose = (suggested: string, platform: string) => setChosen({ ...chosen, [suggested]: platform })
  return { attached, choices, added, isAdding, choose, apply }
}

type Choice = {
  /** The platform that is selected at first. */
  suggested: string
  uploads: readonly Upload[]
  /** The platforms of the application that accept all of the files. */
  usable: readonly string[]
  /** The other platforms that accept them. */
  addable: readonly string[]
}

/** Returns a choice for each platform that is suggested. Uploads for which there is no platform are left out. */
function choicesOf(uploads: readonly Upload[], attached: readonly string[], canAdd: boolean): Choice[] {
  const isAttached = (platform: string) => attached.includes(platform)
  const suggestionOf = ({ candidates }: Upload) =>
    candidates.find(isAttached) ?? (canAdd ? candidates[0] : undefined)
  return [...Map.groupBy(uploads, suggestionOf)].flatMap(([suggested, group]) => {
    if (suggested === undefined) return []
    const common = (group[0]?.candidates ?? []).filter((platform) =>
      group.every(({ candidates }) => candidates.includes(platform)),
    )
    return {
      suggested,
      uploads: group,
      usable: common.filter(isAttached),
      addable: canAdd ? common.filter((platform) => !isAttached(platform)) : [],
    }
  })
}

type ChoiceProps = {
  choice: Choice & { platform: string }
  application: string
  isOnly: boolean
  onChange: (platform: string) => void
}

function PlatformChoice({ choice, application, isOnly, onChange }: ChoiceProps) {
  const { platform, uploads, usable, addable } = choice
  const optionsOf = (identifiers: readonly string[]) =>
    identifiers.map((value) => ({ value, label: platformName(value) }))
  const names = uploads.map(({ filename }) => filename).join(', ')
  return (
    <>
      {!isOnly && (
        <span className={classes.files} title={names}>
          {names}
        </span>
      )}
      <Select
        size="xs"
        aria-label={`Platform of ${filesText(uploads)}`}
        data={[
          { group: neededPlatformText.platformsOf(application), items: optionsOf(usable) },
          { group: neededPlatformText.addPlatform, items: optionsOf(addable) },
        ].filter(({ items }) => items.length > 0)}
        value={platform}
        allowDeselect={false}
        searchable
        onChange={(value) => value !== null && onChange(value)}
      />
    </>
  )
}

const identifiersOf = ({ platforms }: SingleApplication): string[] =>
  platforms.map(({ identifier }) => identifier)

const filesText = (uploads: readonly Upload[]): string =>
  uploads.length === 1 ? (uploads[0]?.filename ?? '') : plural(uploads.length, 'file')
