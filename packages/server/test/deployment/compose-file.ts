import { parseEnv } from 'node:util'
import { parse } from 'yaml'
import { exampleSecret, readDeployFile } from './deploy-files.ts'

export type Service = {
  image: string
  environment?: Record<string, string>
  healthcheck?: { test?: string[]; disable?: boolean }
  depends_on?: Record<string, { condition: string }>
  volumes?: string[]
  configs?: { source: string }[]
  networks: string[] | Record<string, unknown>
  restart: string
  command?: string[]
}

export const composeText = readDeployFile('compose.yaml')
export const compose = parse(composeText, { merge: true }) as {
  services: Record<string, Service>
  volumes: Record<string, unknown>
  configs: Record<string, { content: string }>
  networks: Record<string, unknown>
}
/** The services that run the image, by name. */
export const quaysideServices = Object.entries(compose.services).filter(([, { image }]) =>
  image.includes('QUAYSIDE_IMAGE'),
)
export const example = parseEnv(readDeployFile('.env.example')) as Record<string, string>
export const secrets = Object.entries(example).filter(([name, value]) => value === '' && !isOptional(name))
/** The variables of .env.example, with a value for every secret. */
export const filledIn = { ...example, ...Object.fromEntries(secrets.map(([name]) => [name, exampleSecret])) }

function isOptional(name: string): boolean {
  return !composeText.includes(`\${${name}:?`)
}

/** Replaces variables as Compose does. Throws if a required one is empty. */
export function interpolate(value: string, variables: Record<string, string>): string {
  return value.replaceAll(
    /\$\{(\w+)(?:(:[-?])([^}]*))?\}/g,
    (_, name: string, operator?: string, word = '') => {
      const found = variables[name] ?? ''
      if (found === '' && operator === ':?') throw new Error(String(word))
      return found === '' && operator === ':-' ? String(word) : found
    },
  )
}
