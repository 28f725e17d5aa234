import { ActionIcon, Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import { api } from '../../api/client.ts'
import { isHandheld, thisDevice } from '../../api/device.ts'
import { useSession } from '../../api/session.ts'
import { uploadText } from '../../text/builds/upload.ts'
import { CopyButton } from '../../ui/copy/copy-button.tsx'
import { copyText } from '../../ui/copy/copy-text.ts'
import { Hint } from '../../ui/hint.tsx'
import { IconCheck, IconLink, IconQrcode, IconShare } from '../../ui/icons/icons.ts'
import { lazyPart } from '../../ui/loading/lazy-part.ts'
import { ButtonLink } from '../../ui/navigation/button-link.tsx'
import { QrCodeButton } from '../../ui/phone/qr-code-button.tsx'
import { showDone, showFailure } from '../../ui/toast.tsx'
import type { Upload, UploadedBuild } from '../../upload/upload.ts'

const ScanCard = lazyPart(async () => (await import('../first-steps/scan-card.tsx')).ScanCard)

type Props = { upload: Pick<Upload, 'applicationId'>; build: UploadedBuild }

/** What a person does with a build that has just been uploaded: open, copy the link, scan, share. */
export function UploadedBuildActions({ upload: { applicationId }, build }: Props) {
  const { can } = useSession()
  const label = build.version
  return (
    <>
      <CopyButton value={build.url}>
        {({ copied, copy }) => (
          <Hint label={copied ? 'Copied' : 'Copy link'}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              onClick={copy}
              aria-label={`Copy link to ${label}`}
            >
              {copied ? <IconCheck size={18} color="var(--q-good)" /> : <IconLink size={18} />}
            </ActionIcon>
          </Hint>
        )}
      </CopyButton>
      <QrCodeButton
        url={build.url}
        label={label}
        button={
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`QR code of ${label}`}>
            <IconQrcode size={18} />
          </ActionIcon>
        }
      />
      {can('share_links:create', applicationId) && (
        <ShareButton applicationId={applicationId} buildId={build.id} />
      )}
      <ButtonLink
        aria-label={`Open build ${label}`}
        size="xs"
        variant="light"
        to="/applications/$applicationId/builds/$buildId"
        params={{ applicationId, buildId: build.id }}
      >
        Open build
      </ButtonLink>
    </>
  )
}

/** The QR code of a build that phones install, until one has opened the service. */
export function UploadedBuildCode({ applicationId, build }: { applicationId: string; build: UploadedBuild }) {
  const { id, version, url, platformId = '' } = build
  if (!isHandheld({ identifier: platformId }) || thisDevice() !== 'desktop') return null
  return (
    <Suspense>
      <ScanCard build={{ applicationId, id, version, url }} />
    </Suspense>
  )
}

/** Creates a share link and copies it. */
function ShareButton({ applicationId, buildId }: { applicationId: string; buildId: string }) {
  const [isSharing, setIsSharing] = useState(false)
  async function share(): Promise<void> {
    setIsSharing(true)
    try {
      const { data } = await api.createBuildShareLink({
        application_id: applicationId,
        build_id: buildId,
        body: {},
      })
      await copyText(data.url)
      showDone(uploadText.shareCopied)
    } catch (error) {
      showFailure(error)
    } finally {
      setIsSharing(false)
    }
  }
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconShare size={14} />}
      loading={isSharing}
      onClick={() => void share()}
    >
      Share
    </Button>
  )
}
