import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { hasAnvil } from '../support/test-chain.ts'
import { CLIENTS, type Interpreter, node, php, python, run, testWith } from './support/programs.ts'
import { liveService, packedClient } from './support/shared.ts'

/**
 * A README whose blocks in one language, joined in their order, are a program. The program must
 * print `lines`.
 */
type Readme = {
  name: string
  folder: string
  language: string
  file: string
  interpreter: Interpreter
  /** Makes the client available to a program in `folder`. */
  prepare?: (folder: string) => void | Promise<void>
  lines: readonly string[]
}

const READMES: readonly Readme[] = [
  {
    name: 'JavaScript',
    folder: 'javascript',
    language: 'js',
    file: 'start.mjs',
    interpreter: node,
    prepare: async (folder) => {
      const packed = await packedClient()
      symlinkSync(join(packed.folder, 'node_modules'), join(folder, 'node_modules'))
    },
    lines: [
      'completed 25.1',
      'donation.completed 25.1',
      'not_found',
      'true chain',
      'true signature',
      'shared true',
      'user.verified',
    ],
  },
  {
    name: 'Python',
    folder: 'python',
    language: 'python',
    file: 'first.py',
    interpreter: python,
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
  {
    name: 'PHP',
    folder: 'php',
    language: 'php',
    file: 'start.php',
    interpreter: php,
    prepare: (folder) => installPhp(folder),
    lines: [
      'completed 25.1',
      'donation.completed 25.1',
      'Wells for Kitui 1000',
      'still open',
      '1 donations',
      'not_found',
      'campaign.updated',
      'ada',
      'ok https://fake.test/healthz',
      'user.verified',
      'ok through Guzzle',
    ],
  },
]

/**
 * Makes `vendor/autoload.php`, which loads the client, and also Debian's Guzzle if it is installed.
 */
const installPhp = (folder: string): void => {
  mkdirSync(join(folder, 'vendor'))
  const guzzle = '/usr/share/php/GuzzleHttp/autoload.php'
  const files = [join(CLIENTS, 'php/init.php'), ...(existsSync(guzzle) ? [guzzle] : [])]
  const lines = files.map((file) => `require_once '${file}';\n`)
  writeFileSync(join(folder, 'vendor/autoload.php'), `<?php\n${lines.join('')}`)
}

/**
 * Writes the README's blocks in this language, joined in their order, as the program. A block with
 * a file name becomes a separate file.
 */
const writeBlocks = ({ folder, language, file }: Readme, into: string): void => {
  const text = readFileSync(join(CLIENTS, folder, 'README.md'), 'utf8')
  const blocks = [...text.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)]
  const own = blocks.filter(([, fence]) => fence === language)
  for (const [, , name, code = ''] of own) if (name) writeFileSync(join(into, name), code)
  const joined = own.flatMap(([, , name, code = '']) => (name ? [] : [code])).join('\n')
  writeFileSync(join(into, file), joined)
}

describe.skipIf(!hasAnvil)('the README of a client', { concurrent: true }, () => {
  for (const readme of READMES) {
    const { name, file, interpreter, prepare, lines } = readme
    testWith(interpreter)(`${name}: its blocks run as one program`, async ({ folder }) => {
      const { url, nodeUrl } = await liveService()
      writeBlocks(readme, folder)
      await prepare?.(folder)

      const { code, output } = await run(interpreter.command, [file], {
        cwd: folder,
        env: {
          PYTHONPATH: join(CLIENTS, 'python/src'),
          FUNDPROOF_BASE_URL: url,
          FUNDPROOF_ENVIRONMENT: 'sandbox',
          NODE_URL: nodeUrl,
        },
      })

      expect(code, output).toBe(0)
      const printed = output.split('\n')
      const missing = lines.filter((line) => !printed.some((one) => one.startsWith(line)))
      expect(missing, output).toEqual([])
    })
  }
})
