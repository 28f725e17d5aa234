import { Button, Input, NativeSelect, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import {
  scopePresets,
  scopeText,
  type KeyKind,
  type ScopeLevel,
  noAccess,
  type ScopeResource,
} from '../../text/scopes.ts'
import classes from './scope-picker.module.css'

type Props = {
  kind: KeyKind
  value: readonly string[]
  onChange: (scopes: string[]) => void
  error?: React.ReactNode
}

/** Selects scopes by a preset or, on request, one by one, and shows what each of them allows. */
export function ScopePicker({ kind, value, onChange, error }: Props) {
  const isPreset = scopePresets.some(({ scopes }) => isSameSet(scopes[kind], value))
  const [isDetailed, setIsDetailed] = useState(!isPreset)
  const resources = scopeText[kind].filter(({ id }) => isDetailed || levelOf(value, id) !== '')
  const set = (resource: string, level: string) =>
    onChange([
      ...value.filter((scope) => !scope.startsWith(`${resource}:`)),
      ...(level === '' ? [] : [`${resource}:${level}`]),
    ])
  return (
    <Input.Wrapper label="Scopes" labelElement="div" error={error}>
      <div className={classes.presets} role="group" aria-label="Presets">
        {scopePresets.map(({ id, label, description, scopes }) => (
          <UnstyledButton
            key={id}
            className={classes.preset}
            aria-pressed={isSameSet(scopes[kind], value)}
            onClick={() => onChange([...scopes[kind]])}
          >
            <span className={classes.presetLabel}>{label}</span>
            <span className={classes.presetText}>{description}</span>
          </UnstyledButton>
        ))}
      </div>
      <ul className={classes.resources}>
        {resources.map((resource) => (
          <ResourceLevel
            key={resource.id}
            resource={resource}
            level={levelOf(value, resource.id)}
            onChange={isDetailed ? (level) => set(resource.id, level) : undefined}
          />
        ))}
      </ul>
      {!isDetailed && (
        <Button variant="subtle" size="xs" mt={4} onClick={() => setIsDetailed(true)}>
          Choose each scope
        </Button>
      )}
    </Input.Wrapper>
  )
}

type LevelProps = {
  resource: ScopeResource
  level: ScopeLevel | ''
  /** Undefined shows the level without a control. */
  onChange: ((level: string) => void) | undefined
}

function ResourceLevel({ resource: { id, label, levels }, level, onChange }: LevelProps) {
  return (
    <li className={classes.resource} data-on={level !== '' || undefined}>
      <div className={classes.text}>
        <div className={classes.name}>{label}</div>
        <div className={classes.allows}>{level === '' ? noAccess : levels[level]}</div>
      </div>
      {onChange === undefined ? (
        <code className={classes.scope}>{`${id}:${level}`}</code>
      ) : (
        <NativeSelect
          size="xs"
          className={classes.level}
          aria-label={`${label}: level`}
          value={level}
          onChange={(event) => onChange(event.currentTarget.value)}
          data={[
            { value: '', label: 'None' },
            ...Object.keys(levels).map((each) => ({ value: each, label: `${id}:${each}` })),
          ]}
        />
      )}
    </li>
  )
}

function levelOf(scopes: readonly string[], resource: string): ScopeLevel | '' {
  const scope = scopes.find((each) => each.startsWith(`${resource}:`))
  return scope === undefined ? '' : (scope.slice(resource.length + 1) as ScopeLevel)
}

const isSameSet = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((each) => b.includes(each))
