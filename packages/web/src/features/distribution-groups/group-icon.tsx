import type { DistributionGroup } from '@quayside/sdk'
import type { Icon } from '../../ui/icons/icon.tsx'
import {
  IconBolt,
  IconBook,
  IconBriefcase,
  IconBug,
  IconBuilding,
  IconCamera,
  IconDeviceGamepad2,
  IconDeviceMobile,
  IconFlask,
  IconHeadset,
  IconHeart,
  IconMail,
  IconPalette,
  IconRocket,
  IconSchool,
  IconShield,
  IconStar,
  IconTrekking,
  IconUsers,
  IconWorld,
} from '../../ui/icons/icons.ts'
import classes from './group-icon.module.css'

/** Drawings by the names of the icon set that the API stores. */
const drawings: Record<string, Icon> = {
  rocket: IconRocket,
  users: IconUsers,
  flask: IconFlask,
  bug: IconBug,
  star: IconStar,
  heart: IconHeart,
  bolt: IconBolt,
  shield: IconShield,
  briefcase: IconBriefcase,
  building: IconBuilding,
  'graduation-cap': IconSchool,
  headset: IconHeadset,
  mobile: IconDeviceMobile,
  gamepad: IconDeviceGamepad2,
  globe: IconWorld,
  envelope: IconMail,
  palette: IconPalette,
  camera: IconCamera,
  book: IconBook,
  hiking: IconTrekking,
}

export const iconNames = Object.keys(drawings)

type GroupIconProps = {
  group: Pick<DistributionGroup, 'icon_type' | 'icon_emoji_code' | 'icon_set_value'>
  size?: number
}

/** Shows the emoji or icon of a group. An icon that the console does not know is drawn as people. */
export function GroupIcon({ group, size = 40 }: GroupIconProps) {
  const Drawing = drawings[group.icon_set_value ?? ''] ?? IconUsers
  return (
    <span className={classes.icon} style={{ width: size, height: size, fontSize: size * 0.5 }} aria-hidden>
      {group.icon_type === 'emoji' ? emojiOf(group.icon_emoji_code ?? '') : <Drawing size={size * 0.5} />}
    </span>
  )
}

/** Returns the emoji of a code such as `1f680` or `1f468-200d-1f4bb`, or the text itself if it is not a code. */
export function emojiOf(code: string): string {
  if (!/^[0-9a-f]{2,6}(-[0-9a-f]{2,6})*$/i.test(code)) return code
  const points = code.split('-').map((part) => Number.parseInt(part, 16))
  return points.every((point) => point <= 0x10_ff_ff) ? String.fromCodePoint(...points) : code
}
