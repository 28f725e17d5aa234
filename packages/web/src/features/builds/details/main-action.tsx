import { Button, Popover, Text } from '@mantine/core'
import type { FullBuild } from '@quayside/sdk'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { mainActionOf, thisDevice } from '../../../api/device.ts'
import { buildText } from '../../../text/builds/build.ts'
import { IconDeviceMobile, IconDownload } from '../../../ui/icons/icons.ts'
import phoneBar from '../../../ui/phone-bar.module.css'
import { PhoneCode, useIsOpenToPhones } from '../../../ui/phone/phone-code.tsx'
import { showFailure } from '../../../ui/toast.tsx'
import { versionText } from '../build.queries.ts'
import { downloadBuild, startDownload } from '../download-build.ts'
import classes from './build-header.module.css'

/** The one thing that most people want from a build on their device. */
export function MainAction({ build }: { build: FullBuild }) {
  const isOpenToPhones = useIsOpenToPhones()
  const kind = mainActionOf(build, thisDevice())
  const download = () => void downloadBuild(build.application_id, build.id)
  if (kind === 'install') return <InstallButton build={build} />
  if (kind === 'download')
    return (
      <div className={phoneBar.buttons}>
        <Button leftSection={<IconDownload size={16} />} onClick={download}>
          Download
        </Button>
      </div>
    )
  return (
    <div className={phoneBar.buttons}>
      <Button
        variant={isOpenToPhones ? 'default' : 'filled'}
        leftSection={<IconDownload size={16} />}
        onClick={download}
      >
        Download
      </Button>
      <ScanButton build={build} isPrimary={isOpenToPhones} />
    </div>
  )
}

function ScanButton({ build, isPrimary }: { build: FullBuild; isPrimary: boolean }) {
  return (
    <Popover position="bottom-end" trapFocus returnFocus withArrow>
      <Popover.Target>
        <Button variant={isPrimary ? 'filled' : 'default'} leftSection={<IconDeviceMobile size={16} />}>
          Open on phone
        </Button>
      </Popover.Target>
      <Popover.Dropdown miw={232} ta="center">
        <PhoneCode text={build.modal_url} label={`QR code with the link to ${versionText(build)}`} size={200}>
          <Text fz="sm" fw={600} mt={4}>
            {buildText.install.scan}
          </Text>
          <Text fz="xs" c="dimmed" maw={200}>
            {buildText.install.scanDetail}
          </Text>
        </PhoneCode>
      </Popover.Dropdown>
    </Popover>
  )
}

/** Downloads an APK, which Android then offers to install. */
function InstallButton({ build }: { build: FullBuild }) {
  const [isRefused, setIsRefused] = useState(false)
  async function install(): Promise<void> {
    try {
      const { primary_file: file, universal_apk: apk } = await api.getBuildDownload({
        application_id: build.application_id,
        build_id: build.id,
      })
      const isBundle = build.primary_file.filetype.identifier === 'aab'
      if (isBundle && apk === undefined) setIsRefused(true)
      else startDownload((apk ?? file).temp_url)
    } catch (error) {
      showFailure(error)
    }
  }
  return (
    <div className={phoneBar.buttons}>
      <Button leftSection={<IconDownload size={16} />} disabled={isRefused} onClick={() => void install()}>
        Install
      </Button>
      {isRefused && <span className={classes.reason}>{buildText.install.bundle}</span>}
    </div>
  )
}
