import { Group, ActionIcon, Modal, Text } from '@mantine/core'
import type { Feedback } from '@quayside/sdk'
import { useState } from 'react'
import { IconChevronLeft, IconChevronRight } from '../../ui/icons/icons.ts'
import classes from './feedback.module.css'
import { screenshotPath } from './feedback.queries.ts'

/** Thumbnails of screenshots, which open in a dialog. */
export function Screenshots({ screenshots }: { screenshots: Feedback['screenshots'] }) {
  const [opened, setOpened] = useState<number>()
  if (screenshots.length === 0) return null
  return (
    <div className={classes.shots}>
      {screenshots.map((screenshot, index) => (
        <button
          key={screenshot.id}
          type="button"
          className={classes.shot}
          aria-label={`Open screenshot ${index + 1} of ${screenshots.length}`}
          onClick={() => setOpened(index)}
        >
          <img src={screenshotPath(screenshot)} alt="" loading="lazy" />
        </button>
      ))}
      {opened !== undefined && (
        <Lightbox
          screenshots={screenshots}
          index={opened}
          onShow={setOpened}
          onClose={() => setOpened(undefined)}
        />
      )}
    </div>
  )
}

type LightboxProps = {
  screenshots: Feedback['screenshots']
  index: number
  onShow: (index: number) => void
  onClose: () => void
}

function Lightbox({ screenshots, index, onShow, onClose }: LightboxProps) {
  const screenshot = screenshots[index]
  if (screenshot === undefined) return null
  const position = `Screenshot ${index + 1} of ${screenshots.length}`
  return (
    <Modal opened onClose={onClose} title={position} size="auto" centered>
      <img
        className={classes.large}
        src={screenshotPath(screenshot)}
        width={screenshot.width}
        height={screenshot.height}
        style={{ height: 'auto', width: 'auto' }}
        alt={position}
      />
      {screenshots.length > 1 && (
        <Group justify="center" mt="sm">
          <ActionIcon
            variant="default"
            size={36}
            aria-label="Previous screenshot"
            disabled={index === 0}
            onClick={() => onShow(index - 1)}
          >
            <IconChevronLeft size={18} />
          </ActionIcon>
          <Text fz="sm" c="dimmed">
            {index + 1} / {screenshots.length}
          </Text>
          <ActionIcon
            variant="default"
            size={36}
            aria-label="Next screenshot"
            disabled={index === screenshots.length - 1}
            onClick={() => onShow(index + 1)}
          >
            <IconChevronRight size={18} />
          </ActionIcon>
        </Group>
      )}
    </Modal>
  )
}
