import { describe, expect } from 'vitest'
import { hasAnvil } from '../support/test-chain.ts'
import {
  bun,
  CLIENTS,
  deno,
  type Interpreter,
  node,
  php,
  python,
  run,
  testWith,
} from './support/programs.ts'
import { liveService } from './support/shared.ts'
import { startStreamBreaker } from './support/stream-breaker.ts'

const STEPS = `sign-up key webhook campaign transfer record
  wait list received stream limit refresh proof`.split(/\s+/)

const PROGRAMS: [string, Interpreter, string[]][] = [
  ['JavaScript in Node.js', node, ['javascript/test/live.ts']],
  ['JavaScript in Deno', deno, ['run', '--allow-all', 'javascript/test/live.ts']],
  ['JavaScript in Bun', bun, ['javascript/test/live.ts']],
  ['Python', python, ['python/test/live.py']],
  ['PHP', php, ['php/test/live.php']],
]

describe.skipIf(!hasAnvil)('a client and the real service', { concurrent: true }, () => {
  for (const [name, interpreter, args] of PROGRAMS) {
    testWith(interpreter)(
      `${name}: from a new account to a verified webhook`,
      async ({ onTestFinished }) => {
        const { url } = await liveService()
        const proxy = await startStreamBreaker(url)
        onTestFinished(() => proxy.close())

        const { code, output } = await run(interpreter.command, args, {
          cwd: CLIENTS,
          env: {
            FUNDPROOF_BASE_URL: url,
            FUNDPROOF_ENVIRONMENT: 'sandbox',
            PROXY_URL: proxy.url,
            PYTHONPATH: 'python/src',
          },
        })

        expect(code, output).toBe(0)
        const steps = output.split('\n').filter((line) => line.startsWith('ok '))
        expect(steps).toEqual(STEPS.map((step) => `ok ${step}`))
        expect(proxy.streams(), 'two cuts, and the stream that went on').toBe(3)
      },
    )
  }
})
