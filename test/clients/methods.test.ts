import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import type { ClientModel } from '../../clients/generate/model.ts'
import { readModel } from '../../clients/generate/read-model.ts'
import { readInterface } from '../support/interface.ts'
import { startDocumentedServer } from './support/documented-server.ts'
import { javascriptProgram, phpProgram, pythonProgram } from './support/method-programs.ts'
import {
  CLIENTS,
  type Interpreter,
  NEEDS,
  node,
  php,
  python,
  run,
  testWith,
} from './support/programs.ts'

const { text, operations } = readInterface()
const model = readModel()
/** The same with the longest example of each body, instead of the shortest. */
const longer: ClientModel = {
  ...model,
  operations: model.operations.map((operation) => {
    const { id, without, example } = operation
    const { examples } = operations.find(({ operationId }) => operationId === id) ?? {}
    const fields = Object.entries(examples?.full ?? example.body ?? {})
    const body = Object.fromEntries(fields.filter(([name]) => !without.includes(name)))
    return { ...operation, example: { ...example, body } }
  }),
}
const places = model.operations.map(({ at }) => at.join('.'))

const PROGRAMS = [
  ['JavaScript', node, '', 'program.ts', javascriptProgram(model)],
  ['JavaScript, with all fields', node, '', 'program.ts', javascriptProgram(longer)],
  ['Python', python, NEEDS.python, 'program.py', pythonProgram(model, false)],
  ['Python (async)', python, NEEDS.python, 'program.py', pythonProgram(model, true)],
  ['Python, with all fields', python, NEEDS.python, 'program.py', pythonProgram(longer, false)],
  ['PHP', php, NEEDS.php, 'program.php', phpProgram(model)],
  ['PHP, with all fields', php, NEEDS.php, 'program.php', phpProgram(longer)],
] as const satisfies [string, Interpreter, string, string, string][]

/** Runs a program in a folder of its own, with the settings of a client. */
const runProgram = async (interpreter: Interpreter, file: string, program: string, url: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'fundproof-methods-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'cover.png'), 'bytes of an image')
  writeFileSync(join(folder, file), program)
  return run(interpreter?.command ?? '', [file], {
    cwd: folder,
    env: {
      FUNDPROOF_BASE_URL: url,
      FUNDPROOF_ENVIRONMENT: 'sandbox',
      FUNDPROOF_API_KEY: 'fundproof_sandbox_G0lyp5VrYXMB7pFfFQvygpDGOlYhfc4ZJPRi',
      PYTHONPATH: join(CLIENTS, 'python/src'),
    },
  })
}

describe('each method, called with its sample, sends a request that the document allows', () => {
  for (const [name, interpreter, needs, file, program] of PROGRAMS) {
    testWith(interpreter, needs)(name, async () => {
      const server = await startDocumentedServer(text)
      onTestFinished(server.close)
      const { code, output } = await runProgram(interpreter, file, program, server.url)
      expect(server.judged.flatMap(({ problem }) => problem ?? [])).toEqual([])
      expect([code, code === 0 ? '' : output.slice(-3_000)]).toEqual([0, ''])
      expect(output.match(/^ok .*$/gm)?.map((line) => line.slice(3))).toEqual(places)
      expect(server.judged.map(({ operationId }) => operationId)).toEqual(
        model.operations.map(({ id }) => id),
      )
      for (const [index, { operationId, headers }] of server.judged.entries()) {
        const isPost = model.operations[index]?.method === 'POST'
        expect([operationId, headers.get('prefer')]).toEqual([operationId, 'amounts=text'])
        expect([operationId, headers.has('idempotency-key')]).toEqual([operationId, isPost])
      }
      for (const { type } of model.events) expect(output).toContain(`\n${type}\n`)
    })
  }
})
