import { Hint } from './hint.tsx'
import type { Icon } from './icons/icon.tsx'
import {
  IconBox,
  IconBrandAndroid,
  IconBrandApple,
  IconBrandDebian,
  IconBrandFinder,
  IconBrandWindows,
  IconBrandXbox,
  IconCpu,
  IconDeviceGamepad2,
  IconDeviceMobile,
  IconDeviceSpeaker,
  IconDeviceTv,
  IconDeviceVisionPro,
  IconDeviceWatch,
  IconTerminal2,
} from './icons/icons.ts'

const icons: Record<string, Icon> = {
  android: IconBrandAndroid,
  'apple-tv': IconDeviceTv,
  'apple-watch': IconDeviceWatch,
  debian: IconBrandDebian,
  generic: IconBox,
  homepod: IconDeviceSpeaker,
  ios: IconBrandApple,
  kaios: IconDeviceMobile,
  macos: IconBrandFinder,
  'magic-leap': IconDeviceVisionPro,
  pico: IconDeviceVisionPro,
  playdate: IconDeviceGamepad2,
  ps4: IconDeviceGamepad2,
  ps5: IconDeviceGamepad2,
  quest: IconDeviceVisionPro,
  roblox: IconDeviceGamepad2,
  switch: IconDeviceGamepad2,
  switch2: IconDeviceGamepad2,
  'vision-pro': IconDeviceVisionPro,
  vive: IconDeviceVisionPro,
  wearos: IconDeviceWatch,
  windows: IconBrandWindows,
  'xbox-series': IconBrandXbox,
  zephyr: IconCpu,
}

const colors: Record<string, string> = {
  android: '#2f9e63',
  ios: 'var(--mantine-color-text)',
  macos: 'var(--mantine-color-text)',
  windows: '#2f7fd6',
}

type Platform = { identifier: string; name: string }

/** Shows the icon of a platform, with its name on hover. Linux distributions and BSDs share a terminal. */
export function PlatformIcon({ platform, size = 18 }: { platform: Platform; size?: number }) {
  const Drawing = icons[platform.identifier] ?? IconTerminal2
  return (
    <Hint label={platform.name}>
      <Drawing
        size={size}
        stroke={1.6}
        role="img"
        aria-label={platform.name}
        color={colors[platform.identifier] ?? 'var(--q-soft)'}
      />
    </Hint>
  )
}
