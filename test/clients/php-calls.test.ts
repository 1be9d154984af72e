import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { OperationModel } from '../../clients/generate/model.ts'
import { readModel } from '../../clients/generate/read-model.ts'
import { phpCall, phpHead } from '../../clients/generate/samples/php.ts'
import { readInterface } from '../support/interface.ts'
import { startCheckingServer } from './support/checking-server.ts'
import { CLIENTS, NEEDS, php, run, testWith } from './support/programs.ts'

/** A valid form of an API key, which belongs to no account. */
const KEY = 'fundproof_sandbox_G0lyp5VrYXMB7pFfFQvygpDGOlYhfc4ZJPRi'

/** Programs that call each method, with the shortest and with the longest example of the document. */
const samples = (): Record<string, string> => {
  const model = readModel()
  const { operations } = readInterface()
  const longest = ({ id, without, example }: OperationModel): OperationModel['example'] => {
    const { full, withEscrow } =
      operations.find(({ operationId }) => operationId === id)?.examples ?? {}
    const body = Object.entries(full ?? withEscrow ?? example.body ?? {})
    return {
      ...example,
      body: Object.fromEntries(body.filter(([name]) => !without.includes(name))),
    }
  }
  return Object.fromEntries(
    model.operations.flatMap((operation) => {
      const name = operation.at.join('.')
      const call = phpCall(model, operation)
      const longer = phpCall(model, { ...operation, example: longest(operation) })
      return [
        [name, `${phpHead(call)}${call}`],
        [`${name} in full`, `${phpHead(longer)}${longer}`],
      ]
    }),
  )
}

testWith(php, NEEDS.php)(
  'each PHP method sends what the service takes, and reads its answer',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fundproof-samples-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const server = await startCheckingServer()
    onTestFinished(() => server.close())
    const programs = samples()
    writeFileSync(join(folder, 'samples.json'), JSON.stringify(programs))
    writeFileSync(join(folder, 'cover.png'), 'image')

    const program = join(CLIENTS, 'php/test/samples.php')
    const { code, output } = await run(php?.command ?? '', [program, 'samples.json'], {
      cwd: folder,
      env: { FUNDPROOF_BASE_URL: server.url, FUNDPROOF_API_KEY: KEY, FUNDPROOF_ENVIRONMENT: '' },
    })

    expect(server.refused()).toEqual([])
    expect(code, output).toBe(0)
    expect(output.match(/^ok /gm)).toHaveLength(Object.keys(programs).length)
    const ids = readInterface().operations.map(({ operationId }) => operationId)
    expect(server.asked().sort()).toEqual(ids.sort())
  },
)
