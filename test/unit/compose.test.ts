import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const compose = read('docker-compose.yml')

/** Splits a section of the compose file into its named blocks. A block begins with two spaces. */
const blocksOf = (section: string): [name: string, text: string][] => {
  const text = new RegExp(`^${section}:\\n((?:(?: .*)?\\n)+)`, 'm').exec(compose)?.[1] ?? ''
  const parts = text.split(/^ {2}([a-z_]+):\n/m)
  return parts.slice(1).flatMap((part, at, all) => {
    return at % 2 === 0 ? [[part, all[at + 1] ?? ''] as [string, string]] : []
  })
}
const anchorOf = (name: string): string =>
  new RegExp(`^x-${name}: &${name}\\n((?: .*\\n)+)`, 'm').exec(compose)?.[1] ?? ''

const services = blocksOf('services')

describe('the compose file', () => {
  test('confines every container', () => {
    expect(services.map(([name]) => name)).toEqual(
      'postgres anvil mailpit migrate token api worker'.split(' '),
    )
    for (const [name, text] of services) expect([name, text]).toEqual([name, CONFINED])
    expect(anchorOf('fundproof')).toContain('  <<: *confined\n')
    for (const rule of [
      'read_only: true',
      'cap_drop: [ALL]',
      'security_opt: ["no-new-privileges:true"]',
      'mem_limit: 1g',
      'pids_limit: 256',
    ]) {
      expect(anchorOf('confined')).toContain(`  ${rule}\n`)
    }
    expect(compose).not.toMatch(/privileged|cap_add|read_only: false/)
  })

  test('takes exact versions of the images of others, as the Dockerfile does', () => {
    const images = [...compose.matchAll(/image: (\S+)/g)].map(([, image]) => image ?? '')
    const from = [...read('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, image]) => image ?? '')
    for (const image of [...images.filter((one) => one !== 'fundproof'), ...from]) {
      expect(image).toMatch(image.startsWith('postgres:') ? /:\d+\.\d+$/ : /:v?\d+\.\d+\.\d+/)
    }
    const { dependencies } = JSON.parse(read('package.json')) as {
      dependencies: Record<string, string>
    }
    expect(new Set(from)).toEqual(new Set([`node:${dependencies.node}-bookworm-slim`]))
  })

  test('gives secrets as files, and publishes on this machine only', () => {
    expect(compose).not.toMatch(/^ +(SECRET|DATABASE_URL|POSTGRES_PASSWORD):/m)
    const ports = [...compose.matchAll(/^ +- "(.*:\d+)"$/gm)].map(([, port]) => port ?? '')
    expect(ports.length).toBeGreaterThan(3)
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/)
  })

  test('waits for a chain and a database that answer', () => {
    for (const name of ['postgres', 'anvil']) {
      expect(services.find(([one]) => one === name)?.[1]).toContain('    healthcheck:\n')
    }
    expect(compose).not.toContain('service_started')
  })

  test('has settings that the service accepts', () => {
    const lines = /environment: &environment\n((?: {4}.*\n)+)/.exec(compose)?.[1] ?? ''
    const settings = [...lines.matchAll(/^ {4}([A-Z_]+): (?!>-)(.*)$/gm)].map(
      ([, name = '', value = '']) =>
        [
          name,
          value
            .replace(/^(["'])(.*)\1$/, '$2')
            .replace(/\$\{\w+:-(.*?)\}/, '$1')
            .replace('/run/secrets', join(ROOT, 'docker/secrets')),
        ] as const,
    )
    const chains = /CHAINS: >-\n((?: {6}.*\n)+)/.exec(lines)?.[1] ?? ''
    const config = loadConfig({ ...Object.fromEntries(settings), CHAINS: chains })
    expect(config).toMatchObject({ environment: 'sandbox', metricsPort: 9464, maxConnections: 500 })
    expect(config.secret?.length).toBeGreaterThan(32)
  })
})

const CONFINED = expect.stringMatching(/^ {4}<<: \*(confined|fundproof)\n/)

describe('.env.example', () => {
  const example = read('.env.example')
  const names = [...example.matchAll(/^#? ?([A-Z_]+)=/gm)].map(([, name]) => name ?? '')

  test('has every setting of the README', () => {
    const table = /^## Configuration$([\s\S]*?)^A chain of/m.exec(read('README.md'))?.[1] ?? ''
    const documented = [...table.matchAll(/^\| ((?:`[A-Z_]+`(?:, )?)+) \|/gm)].flatMap(
      ([, cell = '']) => cell.replaceAll('`', '').split(', '),
    )
    expect(documented.length).toBeGreaterThan(25)
    expect(names.toSorted()).toEqual(documented.toSorted())
  })

  test('is a production that starts once its secrets are filled in', () => {
    const settings = [...example.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(
      ([, name = '', value = '']) => [name, value.replace(/^'(.*)'$/, '$1')] as const,
    )
    const given = Object.fromEntries(settings)
    // The units of the API and the worker set these variables, because the file applies to both
    // processes.
    expect(given).not.toHaveProperty('PORT')
    expect(given).not.toHaveProperty('METRICS_PORT')
    expect(() => loadConfig(given)).toThrow(/^Wrong setting: production needs SECRET\.$/)
    expect(loadConfig({ ...given, SECRET: 'x'.repeat(32) }).environment).toBe('production')
  })
})
