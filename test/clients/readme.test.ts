import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest'
import { hasAnvil } from '../support/test-chain.ts'
import { installPackage } from './support/javascript-package.ts'
import { type LiveService, startLiveService } from './support/live-service.ts'
import {
  CLIENTS,
  type Interpreter,
  NEEDS,
  node,
  python,
  run,
  testWith,
} from './support/programs.ts'

/**
 * A README whose blocks of one language, one after the other, are a program. `lines` are lines that
 * it must print.
 */
type Readme = {
  name: string
  folder: string
  language: string
  file: string
  interpreter: Interpreter
  remedy: string
  /** Makes the client available to a program in `folder`. Returns variables for the program. */
  prepare: (folder: string) => Record<string, string>
  lines: readonly string[]
}

const READMES: readonly Readme[] = [
  {
    name: 'JavaScript',
    folder: 'javascript',
    language: 'js',
    file: 'start.mjs',
    interpreter: node,
    remedy: '',
    prepare: (folder) => {
      installPackage(folder)
      return {}
    },
    lines: [
      'completed 25.1',
      'donation.completed 25.1',
      'not_found',
      'true chain',
      'true signature',
      'user.verified',
    ],
  },
  {
    name: 'Python',
    folder: 'python',
    language: 'python',
    file: 'first.py',
    interpreter: python,
    remedy: NEEDS.python,
    prepare: () => ({ PYTHONPATH: join(CLIENTS, 'python/src') }),
    lines: [
      'completed 25.1',
      'donation.completed 25.1',
      'Wells for Kitui 1000',
      '1 donations',
      'not_found',
      'user.verified',
      'campaign.updated',
      'ada',
    ],
  },
]

/** The blocks of a language in a README, joined in their order. */
const programOf = ({ folder, language }: Readme): string => {
  const text = readFileSync(join(CLIENTS, folder, 'README.md'), 'utf8')
  const blocks = text.matchAll(/^```(\w+)\n(.*?)^```$/gms)
  return [...blocks].flatMap(([, fence, code]) => (fence === language ? [code] : [])).join('\n')
}

describe.skipIf(!hasAnvil)('the README of a client', () => {
  let service: LiveService
  beforeAll(async () => {
    service = await startLiveService()
  }, 90_000)
  afterAll(() => service?.close())

  for (const readme of READMES) {
    const { name, file, interpreter, remedy, prepare, lines } = readme
    testWith(interpreter, remedy)(`${name}: its blocks run as one program`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'fundproof-readme-'))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      writeFileSync(join(folder, file), programOf(readme))

      const { code, output } = await run(interpreter?.command ?? '', [file], {
        cwd: folder,
        env: {
          ...prepare(folder),
          FUNDPROOF_BASE_URL: service.url,
          FUNDPROOF_ENVIRONMENT: 'sandbox',
          NODE_URL: /^Chain .* (http\S+)$/m.exec(service.output())?.[1] ?? '',
        },
      })

      expect(code, output).toBe(0)
      const printed = output.split('\n')
      const missing = lines.filter((line) => !printed.some((one) => one.startsWith(line)))
      expect(missing, output).toEqual([])
    })
  }
})
