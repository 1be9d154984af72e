import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { MUTATIONS } from './support/mutations.ts'
import { CLIENTS, type Ended, type Language, run, testWith } from './support/programs.ts'
import { SUITES, type Suite } from './support/suites.ts'

/** Errors of interpreters for a file with broken syntax. Such an error is no failed vector. */
const BROKEN = /SyntaxError|IndentationError|Parse error|ERR_MODULE_NOT_FOUND/

/** Copies a client and the vectors into a folder. */
const copyClient = (language: Language, folder: string): string => {
  for (const part of [language, 'vectors']) {
    cpSync(join(CLIENTS, part), join(folder, part), { recursive: true })
  }
  return join(folder, language)
}

const runVectors = ({ interpreter, vectors, env }: Suite, cwd: string): Promise<Ended> =>
  run(interpreter.command, vectors, {
    cwd,
    env: { ...env, NODE_COMPILE_CACHE: join(cwd, 'cache') },
  })

describe('the shared vectors', () => {
  for (const language of ['javascript', 'python', 'php'] as const) {
    const suite = SUITES.find((one) => one.language === language)
    if (!suite) throw new Error(`There is no suite of ${language}.`)
    const testHere = testWith(suite.interpreter)

    testHere(`find each fault in the ${language} client`, async ({ folder }) => {
      const copy = copyClient(language, folder)
      const whole = await runVectors(suite, copy)
      expect(whole.code, whole.output).toBe(0)
      const faults = Object.entries(MUTATIONS[language]).flatMap(([name, list]) =>
        list.map((fault) => [name, ...fault] as const),
      )
      for (const [name, what, text, instead] of faults) {
        const file = join(copy, name)
        const source = readFileSync(file, 'utf8')
        expect(source.split(text), `${what}: the place in ${name}`).toHaveLength(2)
        writeFileSync(
          file,
          source.replace(text, () => instead),
        )
        const { code, output } = await runVectors(suite, copy)
        writeFileSync(file, source)
        expect(code, `not found: ${what}`).not.toBe(0)
        expect(output, what).not.toMatch(BROKEN)
      }
    })
  }
})
