import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { readModel } from '../../clients/generate/read-model.ts'
import { readInterface } from '../support/interface.ts'
import { startDocumentedServer } from './support/documented-server.ts'
import { javascriptProgram, phpProgram, pythonProgram, stepsOf } from './support/method-programs.ts'
import {
  CLIENTS,
  type Interpreter,
  node,
  php,
  python,
  run,
  test,
  testWith,
} from './support/programs.ts'

const MODULES = join(CLIENTS, '../node_modules')

const { text } = readInterface()
const model = readModel()
const steps = stepsOf(model)

const PROGRAMS = [
  ['JavaScript', node, 'program.ts', javascriptProgram(model)],
  ['Python', python, 'program.py', pythonProgram(model, false)],
  ['Python (async)', python, 'program.py', pythonProgram(model, true)],
  ['PHP', php, 'program.php', phpProgram(model)],
] as const satisfies [string, Interpreter, string, string][]

/** Runs the program `file` in a folder, with the settings of a client. */
const runProgram = (interpreter: Interpreter, folder: string, file: string, url: string) => {
  writeFileSync(join(folder, 'cover.png'), 'bytes of an image')
  return run(interpreter.command, [file], {
    cwd: folder,
    env: {
      FUNDPROOF_BASE_URL: url,
      FUNDPROOF_ENVIRONMENT: 'sandbox',
      FUNDPROOF_API_KEY: 'fundproof_sandbox_G0lyp5VrYXMB7pFfFQvygpDGOlYhfc4ZJPRi',
      PYTHONPATH: join(CLIENTS, 'python/src'),
    },
  })
}

describe('each method sends requests that the document allows', () => {
  for (const [name, interpreter, file, program] of PROGRAMS) {
    testWith(interpreter)(name, async ({ folder, onTestFinished }) => {
      const server = await startDocumentedServer(text)
      onTestFinished(server.close)
      writeFileSync(join(folder, file), program)
      const { code, output } = await runProgram(interpreter, folder, file, server.url)
      expect(server.judged.flatMap(({ problem }) => problem ?? [])).toEqual([])
      expect([code, code === 0 ? '' : output.slice(-3_000)]).toEqual([0, ''])
      expect(output.match(/^ok .*$/gm)?.map((line) => line.slice(3))).toEqual(
        steps.map((step) => step.name),
      )
      expect(server.judged.map(({ operationId }) => operationId)).toEqual(
        steps.map(({ operation }) => operation.id),
      )
      for (const [index, { operationId, headers }] of server.judged.entries()) {
        const isPost = steps[index]?.operation.method === 'POST'
        expect([operationId, headers.get('prefer')]).toEqual([operationId, 'amounts=text'])
        expect([operationId, headers.has('idempotency-key')]).toEqual([operationId, isPost])
      }
      for (const { type } of model.events) expect(output).toContain(`\n${type}\n`)
    })
  }
})

describe('the programs have the right types', () => {
  test('JavaScript, by tsc', async ({ folder }) => {
    const compilerOptions = { noUnusedLocals: false, typeRoots: [join(MODULES, '@types')] }
    const config = { extends: join(CLIENTS, '../tsconfig.json'), compilerOptions, include: ['*'] }
    writeFileSync(join(folder, 'program.mts'), javascriptProgram(model))
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const { code, output } = await run(join(MODULES, '.bin/tsc'), ['-p', folder], { cwd: folder })
    expect(code, output).toBe(0)
  })
})
