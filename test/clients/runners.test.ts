import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { CLIENTS, run, testWith } from './support/programs.ts'
import { SUITES } from './support/suites.ts'

describe('the tests of a client', () => {
  for (const { name, language, interpreter, all, env } of SUITES) {
    testWith(interpreter)(`pass in ${name}, with the shared vectors`, async () => {
      const cwd = join(CLIENTS, language)
      const { code, output } = await run(interpreter.command, all, { cwd, env })
      expect(code, output).toBe(0)
    })
  }
})
