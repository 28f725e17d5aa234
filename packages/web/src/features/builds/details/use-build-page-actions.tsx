import type { FullBuild } from '@quayside/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { usePageActions } from '../../../frame/page-actions.ts'
import { buildText } from '../../../text/builds/build.ts'
import { copyText } from '../../../ui/copy/copy-text.ts'
import { IconArrowsDiff, IconDownload, IconFile, IconLink } from '../../../ui/icons/icons.ts'
import { showDone, showFailure } from '../../../ui/toast.tsx'
import { downloadBuild } from '../download-build.ts'

/** Offers the most frequent actions of a build in the command palette. */
export function useBuildPageActions({ application_id: applicationId, id, modal_url: url }: FullBuild): void {
  const navigate = useNavigate()
  const actions = useMemo(() => {
    const open = (tab: string) =>
      void navigate({
        to: '/applications/$applicationId/builds/$buildId',
        params: { applicationId, buildId: id },
        search: { tab },
      })
    return [
      {
        id: 'download-build',
        label: 'Download this build',
        leftSection: <IconDownload size={18} />,
        onClick: () => void downloadBuild(applicationId, id),
      },
      {
        id: 'copy-build-link',
        label: 'Copy the link to this build',
        leftSection: <IconLink size={18} />,
        onClick: () => void copyText(url).then(() => showDone(buildText.linkCopied), showFailure),
      },
      {
        id: 'compare-build',
        label: 'Compare this build',
        leftSection: <IconArrowsDiff size={18} />,
        onClick: () => open('compare'),
      },
      {
        id: 'verify-build-file',
        label: 'Verify a file',
        leftSection: <IconFile size={18} />,
        onClick: () => open('files'),
      },
    ]
  }, [applicationId, id, url, navigate])
  usePageActions(actions)
}
